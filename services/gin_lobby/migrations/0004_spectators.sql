-- Tournaments whose matches spectators see later than the players. Apart from `tournaments`, because the version before
-- this one reads those with every column that they have.
CREATE TABLE spectator_delays (
    tournament_id uuid    PRIMARY KEY REFERENCES tournaments,
    seconds       integer NOT NULL CHECK (seconds BETWEEN 1 AND 3600)
);
