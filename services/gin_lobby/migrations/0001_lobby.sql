CREATE TABLE players (
    player_id  uuid        PRIMARY KEY,
    name       text        NOT NULL,
    kind       text        NOT NULL CHECK (kind IN ('human', 'bot')),
    bot        text,                            -- the built-in bot that plays for it; null: a client does
    owner_id   uuid,                            -- of a bot: the account that answers for it
    revision   integer     NOT NULL DEFAULT 1,  -- rises with every change that other services copy
    created_at timestamptz NOT NULL,
    CHECK (kind = 'bot' OR (bot IS NULL AND owner_id IS NULL)),
    CHECK (kind = 'human' OR owner_id IS NOT NULL)
);
CREATE INDEX players_owner ON players (owner_id);

-- An account plays as the player that has its id.
CREATE TABLE accounts (
    account_id    uuid        PRIMARY KEY REFERENCES players,
    name          text        NOT NULL,
    password_hash text        NOT NULL,
    administrator boolean     NOT NULL DEFAULT false,
    created_at    timestamptz NOT NULL
);
CREATE UNIQUE INDEX accounts_name ON accounts (lower(name));

-- A token acts for an account, or for a bot that a client plays.
CREATE TABLE tokens (
    token_id   text        PRIMARY KEY,
    account_id uuid        NOT NULL REFERENCES players,
    scopes     text[]      NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
);
CREATE INDEX tokens_account ON tokens (account_id);
CREATE INDEX tokens_revoked ON tokens (expires_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE tournaments (
    tournament_id    uuid        PRIMARY KEY,
    organiser_id     uuid        NOT NULL REFERENCES accounts,
    name             text        NOT NULL,
    game             text        NOT NULL,
    rules            jsonb       NOT NULL,
    format           jsonb       NOT NULL,                                -- its kind with all settings
    rounds           integer     CHECK (rounds >= 0),                     -- as far as known beforehand
    admits           text        NOT NULL CHECK (admits IN ('humans', 'bots', 'mixed')),
    capacity         integer     CHECK (capacity > 1),
    minimum_entrants integer     NOT NULL CHECK (minimum_entrants > 1),
    starts_at        timestamptz NOT NULL,
    check_in_minutes integer     NOT NULL CHECK (check_in_minutes >= 0),  -- 0: nobody has to check in
    round_minutes    integer     NOT NULL CHECK (round_minutes > 0),      -- a round's deadline
    lots_seed        bigint      NOT NULL,                                -- decides the drawing of lots
    state            text        NOT NULL CHECK (state IN
                         ('announced', 'registration', 'check_in', 'running', 'finished', 'cancelled')),
    current_round    integer     NOT NULL DEFAULT 0,
    ended_because    text,                                                -- why it was cancelled or ended early
    due_at           timestamptz,                                         -- when to look at it next; null: at nothing
    score_after      timestamptz NOT NULL,                                -- no scoring before, but of a complete round
    created_at       timestamptz NOT NULL,
    started_at       timestamptz,
    ended_at         timestamptz
);
CREATE INDEX tournaments_due ON tournaments (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE entrants (
    tournament_id uuid        NOT NULL REFERENCES tournaments,
    player_id     uuid        NOT NULL REFERENCES players,
    state         text        NOT NULL CHECK (state IN ('registered', 'waitlisted', 'withdrawn', 'dropped')),
    checked_in    boolean     NOT NULL DEFAULT false,
    joined_at     timestamptz NOT NULL,
    place_in_line bigint      GENERATED ALWAYS AS IDENTITY,  -- who came first, also within one instant
    seed          integer,                                   -- 1 is strongest; given when the tournament starts
    rating        double precision,                          -- in the tournament's pool, when it started
    PRIMARY KEY (tournament_id, player_id),
    UNIQUE (tournament_id, seed)
);
CREATE INDEX entrants_player ON entrants (player_id);

CREATE TABLE rounds (
    tournament_id uuid        NOT NULL REFERENCES tournaments,
    number        integer     NOT NULL CHECK (number > 0),
    state         text        NOT NULL CHECK (state IN ('playing', 'scored')),
    paired_at     timestamptz NOT NULL,
    deadline_at   timestamptz NOT NULL,
    scored_at     timestamptz,
    PRIMARY KEY (tournament_id, number)
);

-- An encounter that a format opened: a pairing of two, a bye of one, a table of three or four. The fixture and how it
-- ended are kept as the format reads them; the other columns say the same of the first two seats for whoever looks.
CREATE TABLE pairings (
    pairing_id       uuid    PRIMARY KEY,
    tournament_id    uuid    NOT NULL,
    round_number     integer NOT NULL,
    table_number     integer NOT NULL,
    slot             text    NOT NULL,
    fixture          jsonb   NOT NULL,
    first_id         uuid    NOT NULL,  -- deals first
    second_id        uuid,              -- null: the first has a bye
    result           text    CHECK (result IN
                         ('first_wins', 'second_wins', 'draw', 'first_forfeits', 'second_forfeits',
                          'double_forfeit', 'void', 'bye', 'places')),
    ended            jsonb,
    first_score      integer,
    second_score     integer,
    decided_at       timestamptz,
    FOREIGN KEY (tournament_id, round_number) REFERENCES rounds,
    UNIQUE (tournament_id, round_number, table_number),
    UNIQUE (tournament_id, slot),
    CHECK ((result IS NULL) = (decided_at IS NULL) AND (result IS NULL) = (ended IS NULL)),
    CHECK (second_id IS NOT NULL OR result = 'bye')
);
CREATE INDEX pairings_undecided ON pairings (tournament_id) WHERE result IS NULL;

-- Nobody is paired twice in a round, whatever the code above believes.
CREATE TABLE pairing_players (
    tournament_id uuid    NOT NULL,
    round_number  integer NOT NULL,
    player_id     uuid    NOT NULL,
    pairing_id    uuid    NOT NULL REFERENCES pairings,
    seat          integer NOT NULL CHECK (seat BETWEEN 1 AND 4),
    PRIMARY KEY (tournament_id, round_number, player_id),
    UNIQUE (pairing_id, seat),
    FOREIGN KEY (tournament_id, player_id) REFERENCES entrants
);

-- The matches that decide a pairing, one after another. The first has the pairing's id.
CREATE TABLE matches (
    match_id      uuid        PRIMARY KEY,
    pairing_id    uuid        NOT NULL REFERENCES pairings,
    tournament_id uuid        NOT NULL REFERENCES tournaments,
    number        integer     NOT NULL CHECK (number > 0),
    seats         uuid[]      NOT NULL,  -- the first deals first
    ended         jsonb,                 -- in the order of these seats; null: being played
    opened_at     timestamptz NOT NULL,
    UNIQUE (pairing_id, number)
);
CREATE INDEX matches_tournament ON matches (tournament_id);
CREATE INDEX matches_playing ON matches (tournament_id) WHERE ended IS NULL;

-- Results as the engine told them, until they are scored. Scoring takes all that wait for a tournament at once.
CREATE TABLE reported_results (
    match_id      uuid  PRIMARY KEY REFERENCES matches,
    tournament_id uuid  NOT NULL REFERENCES tournaments,
    ended         jsonb NOT NULL
);
CREATE INDEX reported_results_tournament ON reported_results (tournament_id);

-- The standings as they are published, written in the transaction that changes them. Round 0 stands before the first.
CREATE TABLE standings (
    tournament_id uuid    NOT NULL REFERENCES tournaments,
    round_number  integer NOT NULL,
    body          text    NOT NULL,
    etag          text    NOT NULL,
    PRIMARY KEY (tournament_id, round_number)
);
ALTER TABLE standings ALTER COLUMN body SET STORAGE EXTERNAL;  -- rewritten often: packing it costs more than the room

-- Copies of what the ratings service says.
CREATE TABLE player_ratings (
    player_id uuid             NOT NULL,
    pool      text             NOT NULL,
    rating    double precision NOT NULL,
    games     integer          NOT NULL,
    PRIMARY KEY (player_id, pool)
);
