"""`croupier transcript FILE…`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from croupier.cli.options import json_option, reading
from croupier.cli.output import print_json
from croupier.rules.notation import shown
from croupier.transcript import (
    PlayedTranscript,
    TranscriptError,
    play,
    played_json,
    read_transcript,
)
from croupier.transcript.results import result_lines

_LONGEST_NAME = 200


@click.command("transcript")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@json_option
def transcript_command(files: tuple[str, ...], *, as_json: bool) -> None:
    """Play transcripts and settle them; `-` reads standard input.

    Example: croupier transcript samples/mbs-roulette-v3.txt --json
    """
    every = [_play(name) for name in files]  # read all before printing any
    for place, played in enumerate(every):
        if as_json:
            print_json(played_json(played), indent=1 if len(files) == 1 else None)
            continue
        if place:
            click.echo()
        for line in result_lines(played):
            click.echo(line.text if line.plain else click.style(line.text, bold=True))


def _play(name: str) -> PlayedTranscript:
    try:
        return play(read_transcript(_read(name).splitlines()))
    except TranscriptError as error:
        raise click.UsageError(error.at(_source(name))) from error


def _read(name: str) -> str:
    with reading(_source(name)):
        if name == "-":
            return sys.stdin.buffer.read().decode("utf-8")
        return Path(name).read_bytes().decode("utf-8")


def _source(name: str) -> str:
    if name == "-":
        return "standard input"
    fits = name.isprintable() and len(name) <= _LONGEST_NAME
    return name if fits else shown(name)
