"""`python -m croupier.cli`, the same as the command `croupier`."""

from croupier.cli.group import main

main()
