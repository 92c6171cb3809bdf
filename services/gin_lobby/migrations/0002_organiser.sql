-- What an organiser and the arbiters decide, before and while a tournament runs.
-- What stands already satisfies the wider checks, so nothing has to be read again.

ALTER TABLE tournaments
    DROP CONSTRAINT tournaments_state_check,
    ADD CONSTRAINT tournaments_state_check CHECK (state IN
        ('draft', 'announced', 'registration', 'check_in', 'running', 'finished', 'cancelled')) NOT VALID;

ALTER TABLE entrants
    DROP CONSTRAINT entrants_state_check,
    ADD CONSTRAINT entrants_state_check CHECK (state IN
        ('invited', 'registered', 'waitlisted', 'withdrawn', 'dropped')) NOT VALID;

-- How a tournament is conducted. Apart from `tournaments`, because the version before this one reads those with every
-- column that they have. A tournament without a row here is conducted by the defaults.
CREATE TABLE conduct (
    tournament_id            uuid             PRIMARY KEY REFERENCES tournaments,
    late_start_grace_minutes integer          NOT NULL DEFAULT 120 CHECK (late_start_grace_minutes >= 0),
    paused_at                timestamptz,                             -- null: it is not paused
    paused_seconds           double precision NOT NULL DEFAULT 0,     -- since the start, in all pauses that are over
    rating_min               double precision,
    rating_max               double precision,
    admits_provisional       boolean          NOT NULL DEFAULT true,
    invitation_code          text,                                    -- whoever enters must say it
    forbidden_pairs          jsonb            NOT NULL DEFAULT '[]',  -- [[player, player]]
    question                 jsonb                                    -- why no round can be paired, and what would help
);

-- Who did what, when and why. Grows, and never changes.
CREATE TABLE tournament_log (
    tournament_id uuid        NOT NULL REFERENCES tournaments,
    number        integer     NOT NULL CHECK (number > 0),
    at            timestamptz NOT NULL,
    actor_id      uuid,                             -- null: it happened by itself
    what          text        NOT NULL,
    reason        text,
    details       jsonb       NOT NULL,
    touched       uuid[]      NOT NULL,             -- the players whom it is told
    PRIMARY KEY (tournament_id, number)
);
CREATE INDEX tournament_log_touched ON tournament_log USING gin (touched);

CREATE FUNCTION refuse_change_of_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of tournaments is append-only: % refused', tg_op USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tournament_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_log();

-- How often a match was given another result.
ALTER TABLE matches ADD COLUMN revision integer NOT NULL DEFAULT 0 CHECK (revision >= 0);

-- Matches that were opened and taken back when their round was paired anew. One that was played to its end all the
-- same is made void for the ratings.
CREATE TABLE replaced_matches (
    match_id      uuid        PRIMARY KEY,
    tournament_id uuid        NOT NULL REFERENCES tournaments,
    round_number  integer     NOT NULL,
    slot          text        NOT NULL,
    seats         uuid[]      NOT NULL,
    replaced_at   timestamptz NOT NULL,
    voided_at     timestamptz                       -- when the ratings were told that it does not count
);

-- Wishes for rounds to come, kept as those by which a round was paired.
CREATE TABLE round_wishes (
    tournament_id uuid    NOT NULL REFERENCES tournaments,
    round_number  integer NOT NULL CHECK (round_number > 0),
    manual_pairs  jsonb   NOT NULL DEFAULT '[]',    -- [[player, player]]; the first deals first
    allow         text[]  NOT NULL DEFAULT '{}',    -- what may happen where there is no other way
    PRIMARY KEY (tournament_id, round_number)
);

-- Who sits out, and in which round; round 0 is until further notice.
CREATE TABLE rests (
    tournament_id uuid    NOT NULL,
    player_id     uuid    NOT NULL,
    round_number  integer NOT NULL CHECK (round_number >= 0),
    PRIMARY KEY (tournament_id, player_id, round_number),
    FOREIGN KEY (tournament_id, player_id) REFERENCES entrants ON DELETE CASCADE
);

CREATE TABLE arbiters (
    tournament_id uuid NOT NULL REFERENCES tournaments,
    account_id    uuid NOT NULL REFERENCES accounts,
    PRIMARY KEY (tournament_id, account_id)
);

-- When this service last looked at what is due: how long the machine was off can be told from it.
CREATE TABLE presence (
    one     boolean     PRIMARY KEY DEFAULT true CHECK (one),
    seen_at timestamptz NOT NULL
);

ALTER TABLE player_ratings
    ADD COLUMN effective_games double precision,           -- null: not told yet
    ADD COLUMN sequence        bigint NOT NULL DEFAULT 0;  -- of the entry in the pool's ledger; the higher is newer
