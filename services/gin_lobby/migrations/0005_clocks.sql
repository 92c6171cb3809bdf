-- What the people of a tournament may use for their actions. Apart from `tournaments`, because the version before this
-- one reads those with every column that they have. A tournament without a row here is played without a clock.
CREATE TABLE tournament_clocks (
    tournament_id uuid  PRIMARY KEY REFERENCES tournaments,
    clock         jsonb NOT NULL  -- {"move_seconds": …, "bank_seconds": …}
);
