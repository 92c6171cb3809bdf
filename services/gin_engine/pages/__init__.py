"""The engine's pages: tables, replays, rules. They read what REST reads."""
