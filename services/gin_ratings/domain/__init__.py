"""What ratings are, without a database, a clock or a network."""
