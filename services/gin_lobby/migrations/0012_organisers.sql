-- What an account organises and judges is looked for whenever one is shown, left or removed.
CREATE INDEX tournaments_organiser ON tournaments (organiser_id, tournament_id);
CREATE INDEX series_organiser ON series (organiser_id);
CREATE INDEX arbiters_account ON arbiters (account_id);

-- Organisers and arbiters name people by their names.
CREATE INDEX players_name ON players (lower(name));

-- When a bot last got another name.
CREATE TABLE renamed_bots (
    player_id  uuid        PRIMARY KEY REFERENCES players,
    renamed_at timestamptz NOT NULL
);
