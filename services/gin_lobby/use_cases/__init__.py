"""One use case, one transaction, one screen."""
