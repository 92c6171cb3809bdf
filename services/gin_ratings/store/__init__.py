"""The SQL of the ratings service, one file for each table."""
