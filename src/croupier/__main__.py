"""`python -m croupier`, the same as the command `croupier`."""

from croupier.cli import main

main()
