"""Players and leaderboards as people see them."""
