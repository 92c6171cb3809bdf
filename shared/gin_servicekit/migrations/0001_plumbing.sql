-- Tables that every service has in its own schema.

CREATE TABLE outbox (
    message_id uuid        NOT NULL,
    consumer   text        NOT NULL,
    name       text        NOT NULL,
    version    integer     NOT NULL,
    payload    jsonb       NOT NULL,
    created_at timestamptz NOT NULL,
    due_at     timestamptz NOT NULL,            -- when to send it again, unless it is confirmed before
    attempts   integer     NOT NULL DEFAULT 0,  -- how often it was sent again
    PRIMARY KEY (message_id, consumer)
);
CREATE INDEX outbox_due ON outbox (due_at);

CREATE TABLE inbox (
    message_id  uuid        PRIMARY KEY,
    received_at timestamptz NOT NULL
);
CREATE INDEX inbox_received ON inbox (received_at);

CREATE TABLE idempotency_keys (
    account_id  text        NOT NULL,
    key         text        NOT NULL,
    fingerprint text        NOT NULL,  -- of method, path and body: the same key with another request is refused
    status      integer,
    body        text,
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

CREATE TABLE consumption (
    one         boolean     PRIMARY KEY DEFAULT true CHECK (one),
    consumed_at timestamptz NOT NULL  -- when a task of this service last went round
);
