-- The newest word on each match's deadline: messages may come late, and before the match that they speak of.
CREATE TABLE moved_deadlines (
    match_id    text        PRIMARY KEY,
    deadline_at timestamptz,
    moved_at    timestamptz NOT NULL
);
