"""The contract between services: typed messages, their schemas, and who receives each."""
