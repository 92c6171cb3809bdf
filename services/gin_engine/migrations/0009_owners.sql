-- The account that a bot belongs to, where its tournament told it: nobody rules on a match of a bot of theirs.
ALTER TABLE seats ADD COLUMN owner_id text;

-- Whoever gets another name, or leaves, is looked for at tables, of which there are ever more.
CREATE INDEX table_players_player ON table_players (player_id);
