"""What a match is and how it goes on: values and functions without a database."""
