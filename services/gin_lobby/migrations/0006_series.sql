-- Series: tournaments that come again and again, made ahead of their time.

CREATE TABLE series (
    series_id    uuid        PRIMARY KEY,
    organiser_id uuid        NOT NULL REFERENCES accounts,
    name         text        NOT NULL,
    rule         text        NOT NULL,                             -- RRULE
    first_at     timestamp   NOT NULL,                             -- local time of the zone
    zone         text        NOT NULL,
    gap          text        NOT NULL CHECK (gap IN ('after', 'at_change', 'skip')),
    fold         text        NOT NULL CHECK (fold IN ('first', 'second')),
    template     jsonb       NOT NULL,                             -- a tournament as it is asked for, without name and start
    ahead_days   integer     NOT NULL CHECK (ahead_days BETWEEN 1 AND 366),
    state        text        NOT NULL CHECK (state IN ('active', 'ended')),
    revision     integer     NOT NULL CHECK (revision >= 1),
    due_at       timestamptz,                                      -- when the next occurrence is to be made
    looked_until timestamptz NOT NULL,                             -- occurrences up to here were made, skipped or missed
    created_at   timestamptz NOT NULL,
    CHECK (state = 'active' OR due_at IS NULL)
);
CREATE INDEX series_due ON series (due_at) WHERE due_at IS NOT NULL;

-- What became of an occurrence. Its key is the local time of the rule: no occurrence ever takes place twice.
CREATE TABLE occurrences (
    series_id     uuid        NOT NULL REFERENCES series,
    key           text        NOT NULL,
    starts_at     timestamptz NOT NULL,                            -- as the rule had it when this was written
    state         text        NOT NULL CHECK (state IN ('made', 'skipped', 'missed')),
    tournament_id uuid        UNIQUE REFERENCES tournaments,
    reason        text,
    PRIMARY KEY (series_id, key),
    CHECK (state <> 'made' OR tournament_id IS NOT NULL)
);
CREATE INDEX occurrences_by_time ON occurrences (series_id, starts_at);

CREATE INDEX tournaments_starts ON tournaments (starts_at);
