-- Casual tables, clocks, rulings, seals and shared deals.

ALTER TABLE matches
    ADD COLUMN casual           boolean          NOT NULL DEFAULT false,  -- from a table of the same id, not a tournament
    ADD COLUMN advice           boolean,                                  -- may players ask for it? NULL: as the rules say
    ADD COLUMN bot_pace_seconds double precision NOT NULL DEFAULT 0,      -- a bot's answer to a person comes no sooner
    ADD COLUMN idle_seconds     integer          CHECK (idle_seconds > 0),  -- each action puts the deadline off so far
    ADD COLUMN clock_move_ms    integer          CHECK (clock_move_ms > 0),  -- for each action; NULL: no clock
    ADD COLUMN clock_bank_ms    integer          CHECK (clock_bank_ms >= 0), -- for all that takes longer, at the start
    ADD COLUMN turn_began_at    timestamptz,                              -- of the running clock; time we were away is not in it
    ADD COLUMN clock_due_at     timestamptz,                              -- when the running clock is used up; NULL: none runs
    ADD COLUMN ruling_count     integer          NOT NULL DEFAULT 0 CHECK (ruling_count >= 0),
    ADD COLUMN arbiters         jsonb            NOT NULL DEFAULT '[]',   -- accounts that may rule
    ADD COLUMN deal_id          text,                                     -- shared by tables with the same cards; NULL: its own
    ADD COLUMN deal_tables      integer          CHECK (deal_tables > 0), -- how many matches will have that deal_id
    ADD COLUMN seal             text,                                     -- of the record, as published when the match ended
    ADD CHECK ((clock_move_ms IS NULL) = (clock_bank_ms IS NULL)),
    ADD CHECK (clock_due_at IS NULL OR (clock_move_ms IS NOT NULL AND turn_began_at IS NOT NULL));
CREATE INDEX matches_clock_due ON matches (clock_due_at) WHERE clock_due_at IS NOT NULL AND state = 'playing';
CREATE INDEX matches_deal ON matches (deal_id) WHERE deal_id IS NOT NULL;

ALTER TABLE seats ADD COLUMN bank_ms integer CHECK (bank_ms >= 0);  -- left of the bank; NULL: no clock

-- When the engine last looked at the clocks: what lies between two looks that are too far apart is nobody's time.
CREATE TABLE clock_beat (
    one     boolean     PRIMARY KEY DEFAULT true CHECK (one),
    beat_at timestamptz NOT NULL
);

-- What arbiters decided: append-only, like the actions between which it stands.
CREATE TABLE rulings (
    match_id   text        NOT NULL REFERENCES matches,
    number     integer     NOT NULL CHECK (number > 0),
    after      integer     NOT NULL CHECK (after >= 0),  -- actions
    kind       text        NOT NULL CHECK (kind IN ('correct', 'redeal', 'void_hand')),
    hand       integer     NOT NULL CHECK (hand > 0),
    points     integer[],
    reason     text        NOT NULL,
    arbiter_id text        NOT NULL,
    totals     integer[]   NOT NULL,                     -- by seat, as they stand after the ruling
    ruled_at   timestamptz NOT NULL,
    PRIMARY KEY (match_id, number)
);
CREATE FUNCTION refuse_other_ruling() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rulings is append-only';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON rulings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_ruling();

-- One seed for all tables that play the same cards. No CHECK here either: a broken one would put the row into a log.
CREATE TABLE shared_deals (
    deal_id     text    PRIMARY KEY,
    server_seed bytea   NOT NULL,
    salt        bytea   NOT NULL,
    entropy     bytea[] NOT NULL  -- by seat
);

-- Tables that people open for one another. The match that is played there has the table's id.
CREATE TABLE casual_tables (
    table_id         text             PRIMARY KEY,
    state            text             NOT NULL CHECK (state IN ('waiting', 'seated', 'closed')),
    host_id          text             NOT NULL,
    game             text             NOT NULL,
    rules            jsonb            NOT NULL,          -- every field of the rule set
    seats            smallint         NOT NULL CHECK (seats BETWEEN 2 AND 4),
    opponent         text             NOT NULL CHECK (opponent IN ('bot', 'open', 'link', 'rematch')),
    bot              text,                               -- the built-in bot that takes every other seat
    invitation       text,                               -- the secret of a link
    rematch_of       text             REFERENCES matches,
    clock_move_ms    integer,
    clock_bank_ms    integer,
    bot_pace_seconds double precision NOT NULL,
    rated            boolean          NOT NULL,
    advice           boolean          NOT NULL,
    commitment       text             NOT NULL,
    opened_at        timestamptz      NOT NULL,
    expires_at       timestamptz      NOT NULL,          -- nobody waits here for longer
    CHECK ((opponent = 'bot') <= (bot IS NOT NULL)),
    CHECK ((opponent = 'link') = (invitation IS NOT NULL)),
    CHECK ((opponent = 'rematch') = (rematch_of IS NOT NULL))
);
CREATE INDEX casual_tables_open ON casual_tables (table_id) WHERE state = 'waiting' AND opponent = 'open';
CREATE INDEX casual_tables_expiry ON casual_tables (expires_at) WHERE state = 'waiting';
CREATE UNIQUE INDEX casual_tables_rematch ON casual_tables (rematch_of) WHERE state <> 'closed';
CREATE INDEX casual_tables_host ON casual_tables (host_id) WHERE state = 'waiting';

CREATE TABLE table_secrets (
    table_id    text  PRIMARY KEY REFERENCES casual_tables,
    server_seed bytea NOT NULL,
    salt        bytea NOT NULL
);

CREATE TABLE table_players (
    table_id    text        NOT NULL REFERENCES casual_tables,
    seat        smallint    NOT NULL CHECK (seat >= 0),
    player_id   text        NOT NULL,
    player_name text        NOT NULL,
    bot         text,
    entropy     bytea       NOT NULL DEFAULT '',  -- the player's own part in the deals
    joined_at   timestamptz NOT NULL,
    PRIMARY KEY (table_id, seat),
    UNIQUE (table_id, player_id)
);
