"""SQL beside the function that runs it."""
