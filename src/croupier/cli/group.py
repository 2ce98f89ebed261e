"""The command `croupier`: its subcommands, loaded when they are called."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from croupier import __version__
from croupier.errors import CroupierError
from croupier.extras import is_base_missing, needing, root_package

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_COMMANDS = {
    "games": "List the games: document, date, compartments, areas, approval.",
    "layout": "List every betting area of GAME: name, type, numbers, pays.",
    "odds": "Print the exact odds of GAME, its PAR sheet, or of some wagers.",
    "exposure": "Print the House's payments at each outcome, and the worst case.",
    "session": "Calculate a session: ruin, target, cost, final bankroll.",
    "best-play": "Find the play that is most likely to reach a target.",
    "simulate": "Simulate thousands or billions of sessions.",
    "settle": "Settle one Player's wagers on one outcome.",
    "settle-file": "Settle a file of wagers of any size.",
    "transcript": "Play transcripts and settle them; `-` reads standard input.",
    "rules": "Print each clause: its meaning, its code, its tests.",
    "rulebook": "Write the rulebook of GAME: each clause beside the software.",
    "compare": "Compare two documents: clauses, rounds, odds.",
    "readings": "Print our readings of the documents' open points.",
    "dossier": "Write a folder of evidence on GAME for a test laboratory.",
    "rng": "Write raw bytes or draws from the generator, or test them.",
    "journal": "Read, verify, sign, export, import, back up, restore a journal.",
    "audit": "Settle every round again, and report all differences.",
    "report": "Compare actual returns with theory, and read the meters.",
    "wheel-check": "Test recorded outcomes for a biased wheel.",
    "serve": "Serve a house: many tables, Players, staff and devices.",
    "receipt": "Write a Player's receipt of a round, or check one.",
    "witness": "Sign the checkpoints of houses; refuse a second history.",
    "mirror": "Keep a verified copy of the journal of the house at URL.",
    "client": "Play a seat, deal or watch at a table of the house at URL.",
    "house": "Check a house file; create and manage a house on its machine.",
    "learn": "Open the training room for Dealers; it needs no network.",
    "samples": "Write sample files into DIR; make DIR if it is missing.",
    "version": "Print the version, and hashes of code, games and terms.",
    "completion": "Print the completion script for SHELL: bash, zsh or fish.",
}
"""The first help sentence of each command; `--help` imports no command module."""
_BESIDE = {"completion": "croupier.cli.group", "readings": "croupier.cli.rules_command"}
"""The modules of commands that share another command's module."""
_OF_SERVER = {"client", "mirror", "house", "learn", "serve"}
"""Commands that need the extra `server`."""


class _Commands(click.Group):
    """Imports a command's module only when it is needed."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def format_commands(
        self, _ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        begun = [each for each in _COMMANDS if each.startswith(incomplete)]
        names = [CompletionItem(each, help=_COMMANDS[each]) for each in begun]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        word = cmd_name.replace("-", "_")
        with needing("server") if word in _OF_SERVER else nullcontext():
            module = import_module(_BESIDE.get(word, f"croupier.cli.{word}_command"))
        command = getattr(module, f"{word}_command")
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            from croupier.rules.notation import shown, suggestion

            close = suggestion(args[0], _COMMANDS)
            hint = f"did you mean {close}?" if close else "see croupier --help"
            raise click.UsageError(f"there is no command {shown(args[0])}; {hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="croupier %(version)s")
def croupier() -> None:
    """Roulette tables run as their rule documents say.

    GAME is a name that `croupier games` lists; WAGER is written as in
    `croupier layout GAME`, or short: 17, 17/20.
    """


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the completion script for SHELL: bash, zsh or fish.

    Example: eval "$(croupier completion bash)"
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(croupier, {}, "croupier", "_CROUPIER_COMPLETE").source())


def main() -> NoReturn:
    """Run the command; bad input is one sentence on standard error and exit 2."""
    try:
        code = croupier.main(prog_name="croupier", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.NoArgsIsHelpError as asked:
        click.echo(asked.format_message())
        sys.exit(0)
    except click.ClickException as error:
        _tell(_sentence(error))
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:
        _forget_output()
        sys.exit(1)
    except OSError as error:
        if error.filename is not None:
            _tell(f"{error.filename}: {error.strerror}")
        _forget_output()
        _tell(f"the output failed: {error.strerror}")
    except CroupierError as error:
        _tell(str(error))
    except ImportError as error:
        if not is_base_missing(error):
            raise
        _tell(
            f"{root_package(error)} is missing, though every installation has it: pip"
            " install croupier"
        )


def _tell(sentence: str) -> NoReturn:
    click.echo(f"croupier: {' '.join(sentence.split())}", err=True)
    sys.exit(2)


def _sentence(error: click.ClickException) -> str:
    """Return the error on one line; errors of click's own also point to `--help`."""
    said = " ".join(error.format_message().split())
    kinds = (click.MissingParameter, click.NoSuchOption, click.BadOptionUsage)
    by_click = isinstance(error, kinds) or said.startswith("Got unexpected")
    if by_click and isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{said.rstrip('.')}; see {error.ctx.command_path} --help"
    return said


def _forget_output() -> None:
    """Stop Python from flushing output at exit that can't be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
