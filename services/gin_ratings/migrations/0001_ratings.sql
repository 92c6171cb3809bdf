-- Pools, players, matches, the ledger, and the ratings that follow from it.
-- Ids sort by their bytes, so that every transaction locks rows in the same order whatever the server's locale is.

CREATE TABLE pools (
    pool      text   COLLATE "C" PRIMARY KEY CHECK (pool ~ '^[a-z][a-z0-9_-]*/[a-z][a-z0-9_-]*$'),
    size      bigint NOT NULL DEFAULT 0 CHECK (size >= 0),                   -- entries in its ledger
    head_hash text   NOT NULL DEFAULT repeat('0', 64) CHECK (length(head_hash) = 64)
);
INSERT INTO pools (pool) VALUES ('rummy/people'), ('rummy/open'), ('word/people'), ('word/open');

-- A copy of what the owner of the players last said.
CREATE TABLE players (
    player_id text   COLLATE "C" PRIMARY KEY,
    name      text   NOT NULL,
    kind      text   NOT NULL CHECK (kind IN ('human', 'bot')),
    revision  bigint NOT NULL
);

-- Every finished match that was ever told, rated or not: what makes it count once.
CREATE TABLE matches (
    match_id    text        COLLATE "C" PRIMARY KEY,
    pool        text        COLLATE "C" REFERENCES pools,
    verdict     text        NOT NULL CHECK (verdict IN ('rated', 'no_pool', 'void', 'double_forfeit',
                            'no_show', 'too_few_players', 'player_twice')),
    ending      text        NOT NULL,
    target      integer     NOT NULL CHECK (target >= 1),
    seats       jsonb       NOT NULL,  -- [{"player_id", "place"}], in seat order
    finished_at timestamptz NOT NULL,
    settled_at  timestamptz NOT NULL,
    CHECK (verdict <> 'rated' OR pool IS NOT NULL)
);

-- Where each player stands now: always what the ledger says in the player's last entry.
CREATE TABLE ratings (
    pool            text             COLLATE "C" NOT NULL REFERENCES pools,
    player_id       text             COLLATE "C" NOT NULL,
    rating          double precision NOT NULL,
    games           integer          NOT NULL CHECK (games >= 0),
    effective_games double precision NOT NULL CHECK (effective_games >= 0),  -- sum of the squared weights
    rated_at        timestamptz      NOT NULL,                               -- when the last match was settled
    PRIMARY KEY (pool, player_id)
);
CREATE INDEX ratings_by_player ON ratings (player_id, pool);
CREATE INDEX ratings_by_rank ON ratings (pool, rating DESC, player_id);

CREATE TABLE ledger (
    pool            text             COLLATE "C" NOT NULL REFERENCES pools,
    sequence        bigint           NOT NULL CHECK (sequence >= 1),
    kind            text             NOT NULL CHECK (kind IN ('match')),
    match_id        text             COLLATE "C" NOT NULL REFERENCES matches,
    player_id       text             COLLATE "C" NOT NULL,
    place           integer          NOT NULL CHECK (place >= 1),
    target          integer          NOT NULL CHECK (target >= 1),
    opponents       jsonb            NOT NULL,  -- [{"player_id", "rating", "place"}], in seat order
    k               integer          NOT NULL CHECK (k > 0),
    m               double precision NOT NULL CHECK (m > 0),
    before          double precision NOT NULL,
    after           double precision NOT NULL,
    games           integer          NOT NULL CHECK (games >= 1),
    effective_games double precision NOT NULL,
    settled_at      timestamptz      NOT NULL,
    previous_hash   text             NOT NULL CHECK (length(previous_hash) = 64),
    hash            text             NOT NULL CHECK (length(hash) = 64),
    PRIMARY KEY (pool, sequence),
    UNIQUE (match_id, player_id, pool, kind)
);
CREATE INDEX ledger_by_player ON ledger (player_id, pool, sequence DESC);

CREATE FUNCTION refuse_change_of_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only: % refused', tg_op USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_ledger();
