"""Playing from the command line: a built-in bot on a server, and a hand in the terminal."""
