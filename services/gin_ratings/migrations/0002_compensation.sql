-- Corrected and voided results: what the organiser decided, and the entries that make up for the earlier ones.

-- Every correction that was ever told. One that comes before the end of its match waits for it.
CREATE TABLE corrections (
    match_id     text        COLLATE "C" NOT NULL,
    revision     integer     NOT NULL CHECK (revision >= 1),  -- of two for one match the higher counts
    ending       text        NOT NULL,
    seats        jsonb       NOT NULL,                         -- [{"player_id", "place"}], in seat order
    reason       text        NOT NULL,
    corrected_at timestamptz NOT NULL,
    settled_at   timestamptz,                                  -- null: its match has not been told yet
    PRIMARY KEY (match_id, revision)
);
CREATE INDEX corrections_waiting ON corrections (match_id) WHERE settled_at IS NULL;

-- The highest revision that counts; 0: the match counts as it was first told.
ALTER TABLE matches ADD COLUMN revision integer NOT NULL DEFAULT 0;

-- What stands already satisfies the wider checks, so nothing has to be read again.
ALTER TABLE ledger
    ADD COLUMN revision integer NOT NULL DEFAULT 0,
    DROP CONSTRAINT ledger_kind_check,
    ADD CONSTRAINT ledger_kind_check CHECK (
        (kind = 'match' AND revision = 0) OR (kind IN ('reversal', 'correction') AND revision >= 1)) NOT VALID,
    DROP CONSTRAINT ledger_games_check,
    ADD CONSTRAINT ledger_games_check CHECK (games >= 1 OR (kind = 'reversal' AND games = 0)) NOT VALID,
    DROP CONSTRAINT ledger_match_id_player_id_pool_kind_key,
    ADD UNIQUE (match_id, player_id, pool, kind, revision);
