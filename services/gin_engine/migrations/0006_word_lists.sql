-- Word lists that organisers brought. A list never changes, nor does its name: matches that were played with it are
-- checked with it.
CREATE TABLE word_lists (
    sha256   text        PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),  -- of words
    name     text        NOT NULL UNIQUE,
    words    text        NOT NULL,                                       -- one a line, sorted
    count    integer     NOT NULL CHECK (count > 0),
    longest  integer     NOT NULL CHECK (longest > 0),                   -- letters of the longest word
    added_by text        NOT NULL,                                       -- account
    added_at timestamptz NOT NULL
);
CREATE INDEX word_lists_of_account ON word_lists (added_by);
