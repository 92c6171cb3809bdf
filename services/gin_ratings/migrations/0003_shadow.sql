-- Glicko-2 beside Elo, and finding the matches of two players.

-- What the shadow makes of the ledger's first `size` entries of a pool; it follows behind, and may always be made anew.
CREATE TABLE shadow_progress (
    pool text   COLLATE "C" PRIMARY KEY REFERENCES pools,
    size bigint NOT NULL DEFAULT 0 CHECK (size >= 0)
);
CREATE TABLE shadow (
    pool       text             COLLATE "C" NOT NULL REFERENCES shadow_progress,
    player_id  text             COLLATE "C" NOT NULL,
    rating     double precision NOT NULL,
    deviation  double precision NOT NULL CHECK (deviation > 0),
    volatility double precision NOT NULL CHECK (volatility > 0),
    PRIMARY KEY (pool, player_id)
);

CREATE INDEX matches_by_player ON matches USING gin (seats jsonb_path_ops);
