"""What the engine does: each function runs within one transaction."""
