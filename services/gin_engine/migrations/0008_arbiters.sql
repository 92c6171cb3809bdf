-- Who may rule in the matches of a tournament, where the lobby told of it since they were opened. It takes the place of
-- matches.arbiters, whatever came first.
CREATE TABLE tournament_arbiters (
    tournament_id text        PRIMARY KEY,
    arbiters      text[]      NOT NULL,  -- accounts
    named_at      timestamptz NOT NULL
);
