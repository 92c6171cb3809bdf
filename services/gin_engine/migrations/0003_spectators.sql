-- Spectators see a match later than its players; 0: at once.
ALTER TABLE matches
    ADD COLUMN spectator_delay_seconds integer NOT NULL DEFAULT 0 CHECK (spectator_delay_seconds BETWEEN 0 AND 3600);
