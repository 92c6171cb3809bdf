"""Plumbing that every service needs and that knows no game: database, outbox, inbox, Celery, HTTP, settings."""
