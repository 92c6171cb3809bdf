-- Accounts that nobody can sign in to yet: whoever has the session of one may give it a name and a password.
CREATE TABLE guests (
    account_id uuid PRIMARY KEY REFERENCES accounts
);
CREATE SEQUENCE guest_numbers START 1001;

-- What a name looks like, for telling names apart: two accounts never look the same. An account that is older than this
-- table has no row until somebody chooses a name next.
CREATE TABLE account_skeletons (
    skeleton   text PRIMARY KEY,
    account_id uuid NOT NULL UNIQUE REFERENCES accounts
);

-- Tokens that a browser keeps; they are renewed while they are used.
ALTER TABLE tokens ADD COLUMN session boolean NOT NULL DEFAULT false;
