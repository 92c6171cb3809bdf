"""REST: decode, call a use case, encode."""
