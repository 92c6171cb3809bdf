-- Webhooks: what accounts want to be told of, what happened, and what of it was sent to whom.

CREATE TABLE webhooks (
    webhook_id       uuid        PRIMARY KEY,
    owner_id         uuid        NOT NULL REFERENCES accounts ON DELETE CASCADE,
    url              text        NOT NULL,
    description      text        NOT NULL,
    events           text[]      NOT NULL CHECK (cardinality(events) > 0),  -- types, such as round.paired
    tournament_id    uuid        REFERENCES tournaments,  -- of this one alone
    series_id        uuid        REFERENCES series,       -- of the tournaments of this one alone
    mine             boolean     NOT NULL,                -- of those that the owner has a part in alone
    secret           text        NOT NULL,
    former_secrets   jsonb       NOT NULL DEFAULT '[]',   -- [{"secret": …, "until": …}]: they sign as well until then
    state            text        NOT NULL CHECK (state IN ('active', 'paused', 'disabled')),
    disabled_because text,
    disabled_at      timestamptz,
    revision         integer     NOT NULL CHECK (revision >= 1),
    failures         integer     NOT NULL DEFAULT 0,      -- attempts that failed since the last one that did not
    failing_since    timestamptz,
    held_until       timestamptz,                         -- nothing is sent before
    claimed_at       timestamptz,                         -- when something was last sent: whoever waited longest is next
    created_at       timestamptz NOT NULL,
    CHECK (num_nonnulls(tournament_id, series_id) + mine::int <= 1),
    CHECK ((state = 'disabled') = (disabled_because IS NOT NULL) AND (state = 'disabled') = (disabled_at IS NOT NULL))
);
CREATE INDEX webhooks_owner ON webhooks (owner_id, webhook_id);

-- Written in the transaction that makes it true, if any webhook wants its type; then spread to those that want it.
CREATE TABLE webhook_events (
    event_id      uuid        PRIMARY KEY,
    type          text        NOT NULL,
    tournament_id uuid,
    player_id     uuid,                          -- whom alone it concerns: the player, or the owner of the bot
    data          jsonb       NOT NULL,
    occurred_at   timestamptz NOT NULL,
    coalesced     boolean     NOT NULL,          -- until it is spread, a later one of its kind takes its place
    spread_after  timestamptz                    -- null: it has been spread
);
CREATE INDEX webhook_events_to_spread ON webhook_events (spread_after) WHERE spread_after IS NOT NULL;
CREATE UNIQUE INDEX webhook_events_coalesced ON webhook_events (tournament_id, type)
    WHERE coalesced AND spread_after IS NOT NULL;
CREATE INDEX webhook_events_by_time ON webhook_events (occurred_at);

CREATE TABLE webhook_deliveries (
    webhook_id    uuid        NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    event_id      uuid        NOT NULL REFERENCES webhook_events ON DELETE CASCADE,
    state         text        NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'withheld')),
    attempts      integer     NOT NULL DEFAULT 0,
    schedule_from integer     NOT NULL DEFAULT 0,  -- attempts before the schedule of retries began (anew)
    next_at       timestamptz,                     -- of the next attempt
    leased_until  timestamptz,                     -- an attempt is being made; if nothing is heard of it, until then
    attempted_at  timestamptz,                     -- the last attempt, and what came of it
    status        integer,
    problem       text,
    PRIMARY KEY (webhook_id, event_id),
    CHECK ((state = 'waiting') = (next_at IS NOT NULL))
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (webhook_id) WHERE leased_until IS NOT NULL;
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id);

-- Whether an account may see a tournament, null for none: a draft is seen by its organiser and administrators alone.
CREATE FUNCTION webhook_may_see(account uuid, tournament uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT EXISTS (
        SELECT FROM tournaments t
         WHERE t.tournament_id = tournament AND t.state = 'draft' AND t.organiser_id <> account
           AND NOT EXISTS (SELECT FROM accounts a WHERE a.account_id = account AND a.administrator))
$$;
