-- Matches, who sits at them, and what was done there.

CREATE TABLE matches (
    match_id      text        PRIMARY KEY,           -- chosen by the lobby
    tournament_id text,
    round_number  integer,
    game          text        NOT NULL,
    rules         jsonb       NOT NULL,              -- every field of the rule set; of a void match, what was asked for
    first_dealer  smallint    CHECK (first_dealer >= 0),                          -- seat; NULL: the players cut for the first deal
    rating_pool   text,
    target        integer     NOT NULL CHECK (target >= 1),
    commitment    text        NOT NULL,
    state         text        NOT NULL CHECK (state IN ('playing', 'finished', 'cancelled')),
    ending        text        CHECK (ending IN ('played', 'forfeit', 'no_show', 'double_forfeit', 'void')),
    reason        text,                              -- why it was cancelled
    dealt         boolean     NOT NULL,              -- false: void from the start
    action_count  integer     NOT NULL DEFAULT 0 CHECK (action_count >= 0),
    hands_played  integer     NOT NULL DEFAULT 0,
    last_action_at timestamptz,                      -- the log never goes back in time
    bot_due_at    timestamptz,                       -- set while a bot is to act
    only_bots     boolean     NOT NULL,              -- no client waits for the bots of this match
    deadline_at   timestamptz,
    opened_at     timestamptz NOT NULL,
    finished_at   timestamptz,
    CHECK ((state = 'playing') = (ending IS NULL)),
    CHECK ((state = 'playing') = (finished_at IS NULL)),
    CHECK ((state = 'cancelled') = (ending IS NOT DISTINCT FROM 'void')),
    CHECK (state = 'playing' OR bot_due_at IS NULL),
    CHECK (dealt OR state = 'cancelled')
);
CREATE INDEX matches_bot_due ON matches (only_bots, bot_due_at) WHERE bot_due_at IS NOT NULL;
CREATE INDEX matches_deadline ON matches (deadline_at) WHERE state = 'playing' AND deadline_at IS NOT NULL;
CREATE INDEX matches_tournament ON matches (tournament_id, round_number, match_id);

-- Apart from the matches, and without a CHECK: when a row breaks a constraint, Postgres puts the whole row into the
-- error, and from there it would reach a log.
CREATE TABLE match_secrets (
    match_id    text  PRIMARY KEY REFERENCES matches,
    server_seed bytea NOT NULL,
    salt        bytea NOT NULL
);

CREATE TABLE seats (
    match_id    text     NOT NULL REFERENCES matches,
    seat        smallint NOT NULL CHECK (seat >= 0),
    player_id   text     NOT NULL,
    player_name text     NOT NULL,
    bot         text,                                -- the built-in bot that plays the seat; NULL: a client acts for it
    entropy     bytea    NOT NULL,
    acted_at    timestamptz,                         -- when a client last acted for it
    thinking_seconds double precision NOT NULL DEFAULT 0,  -- how long the match has waited for its client
    place       integer  CHECK (place >= 1),
    score       integer,
    hands_won   integer,
    undercuts   integer,
    PRIMARY KEY (match_id, seat)
);
CREATE INDEX seats_player ON seats (player_id, match_id);

-- The truth about a match: append-only. One block holds what one transaction played, so that bots that play on by
-- themselves cost one row and not three hundred.
CREATE TABLE action_blocks (
    match_id     text        NOT NULL REFERENCES matches,
    first_action integer     NOT NULL CHECK (first_action >= 0),
    actions      text[]      NOT NULL CHECK (cardinality(actions) > 0),
    seats        smallint[]  NOT NULL,               -- who acted, action by action
    played_at    timestamptz NOT NULL,
    PRIMARY KEY (match_id, first_action),
    CHECK (cardinality(seats) = cardinality(actions))
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'action_blocks is append-only';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON action_blocks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Whether a task that plays on waits in the queue: one is enough, however many find that there is more to play.
CREATE TABLE play_turn (
    one      boolean     PRIMARY KEY DEFAULT true CHECK (one),
    asked_at timestamptz
);
INSERT INTO play_turn DEFAULT VALUES;

-- Cancellations that overtook the wish to open their match.
CREATE TABLE early_cancellations (
    match_id     text        PRIMARY KEY,
    reason       text        NOT NULL,
    cancelled_at timestamptz NOT NULL
);
