"""What the tiny services share."""
