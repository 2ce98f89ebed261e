"""Rounds of play as text: read, play out, print."""

from croupier.transcript.parser import (
    Transcript,
    TranscriptLine,
    read_line,
    read_transcript,
)
from croupier.transcript.playback import PlayedLine, PlayedTranscript, play, status_of
from croupier.transcript.practice import PracticeTable
from croupier.transcript.results import played_json
from croupier.transcript.settlement import Settlement, settle
from croupier.transcript.words import TranscriptError

__all__ = [
    "PlayedLine",
    "PlayedTranscript",
    "PracticeTable",
    "Settlement",
    "Transcript",
    "TranscriptError",
    "TranscriptLine",
    "play",
    "played_json",
    "read_line",
    "read_transcript",
    "settle",
    "status_of",
]
