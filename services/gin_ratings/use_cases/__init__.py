"""What the ratings service does: each function is one transaction's work."""
