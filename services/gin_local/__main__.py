"""`python -m gin_local` is the `ginhall` command, for a checkout that is not installed."""

from gin_local.cli import main

main()
