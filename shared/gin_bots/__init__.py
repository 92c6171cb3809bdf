"""Computer opponents: each chooses an action from what its player may see, nothing more."""
