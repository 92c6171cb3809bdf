"""The `ginhall` command, and the whole house on one machine."""
