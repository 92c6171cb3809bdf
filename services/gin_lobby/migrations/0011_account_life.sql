-- The life of accounts: getting back in without the password, other names, leaving.

-- What a forgotten password can be replaced with: each is good once. Only fingerprints are kept.
CREATE TABLE recovery_codes (
    account_id  uuid        NOT NULL REFERENCES accounts,
    fingerprint bytea       NOT NULL,
    made_at     timestamptz NOT NULL,
    PRIMARY KEY (account_id, fingerprint)
);

-- The same as a link, from whoever runs the server: a newer one takes the place of the one before.
CREATE TABLE reset_links (
    account_id  uuid        PRIMARY KEY REFERENCES accounts,
    fingerprint bytea       NOT NULL UNIQUE,
    expires_at  timestamptz NOT NULL
);

-- When an account last got another name.
CREATE TABLE renamed_accounts (
    account_id uuid        PRIMARY KEY REFERENCES accounts,
    renamed_at timestamptz NOT NULL
);

-- Names that accounts gave up, as their skeletons: nobody else gets one before its time.
CREATE TABLE former_names (
    skeleton       text        PRIMARY KEY,
    account_id     uuid        NOT NULL REFERENCES accounts,
    leads_on       boolean     NOT NULL,             -- false: who had it is gone, and it leads to nobody
    reserved_until timestamptz NOT NULL
);
CREATE INDEX former_names_account ON former_names (account_id);
CREATE INDEX former_names_reserved ON former_names (reserved_until);

-- Accounts that were deleted. What they played stays, under a name that tells nothing.
CREATE TABLE deleted_accounts (
    account_id uuid        PRIMARY KEY REFERENCES accounts,
    deleted_at timestamptz NOT NULL
);
CREATE SEQUENCE deleted_player_numbers START 1001;

-- Tournaments that have yet to follow a player who got another name, or is gone.
CREATE TABLE player_changes_due (
    tournament_id uuid        NOT NULL REFERENCES tournaments,
    player_id     uuid        NOT NULL REFERENCES players,
    due_at        timestamptz NOT NULL,
    PRIMARY KEY (tournament_id, player_id)
);
CREATE INDEX player_changes_due_at ON player_changes_due (due_at);
