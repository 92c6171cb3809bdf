-- What the lobby told of players since they got their first name: another one, or that they are gone. The first name
-- comes with a match or with a token; who kept it has no row.
CREATE TABLE known_players (
    player_id text        PRIMARY KEY,
    name      text,                            -- NULL: none was told
    revision  bigint      NOT NULL DEFAULT 0,  -- of the name; the higher is newer
    left_at   timestamptz                      -- NULL: they may play
);

-- What is shown instead of the name under which a seat was played, where its player is gone. The record, which is
-- sealed, keeps that name.
ALTER TABLE seats ADD COLUMN shown_name text;
