"""Word Gin for two to four players."""
