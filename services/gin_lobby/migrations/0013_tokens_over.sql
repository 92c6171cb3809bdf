-- Tokens that were over long ago are removed.
CREATE INDEX tokens_over ON tokens (expires_at);
