"""Rounds of play as text: read, play out, print."""

from croupier.transcript.lines import TranscriptError
from croupier.transcript.playing import Played, PlayedLine, play, status_of
from croupier.transcript.practice import PracticeTable
from croupier.transcript.reading import Line, Transcript, read_line, read_transcript
from croupier.transcript.writing import played_json

__all__ = [
    "Line",
    "Played",
    "PlayedLine",
    "PracticeTable",
    "Transcript",
    "TranscriptError",
    "play",
    "played_json",
    "read_line",
    "read_transcript",
    "status_of",
]
