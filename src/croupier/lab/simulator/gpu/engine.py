"""The engine `gpu`: a CUDA kernel by CuPy, with the plan as its constants.

It plays tables of states only: `play_parts` refuses functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib.resources import files
from typing import Any

import numpy as np

from croupier.extras import needing
from croupier.lab.sessions import SessionError, Shortfall
from croupier.lab.simulator.cpu.steps import (
    FIELDS,
    GAIN,
    LEAST,
    NEXT,
    SPAN,
    STAKED,
    step_table,
)
from croupier.lab.simulator.plan import (
    WORDS,
    Machine,
    SessionTally,
    SimulationPlan,
)

_THREADS = 256
_SMALL = 2**31
"""Amounts and sums below this are counted in 32 bits."""
_SHORT = 2**16
"""Units of a step below this are counted in 16 bits."""
_MOST_STEPS = 1_024
"""The steps in shared memory: 16 KB."""


class GpuEngine:
    """Plays each session in a thread of one CUDA device.

    Its methods raise `MissingExtra` without CuPy, and `SessionError` without a device.
    """

    def __init__(self) -> None:
        self._compiled: tuple[str, Any] | None = None

    @cached_property
    def _cupy(self) -> Any:
        with needing("gpu"):
            import cupy
        try:
            cupy.cuda.runtime.getDeviceCount()
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise SessionError(f"there is no CUDA device: {error}") from error
        return cupy

    def prepare(self, plan: SimulationPlan, tell: Callable[[], None]) -> None:
        assert isinstance(plan.machine, Machine)
        tell()
        self._kernel(source_of(plan, plan.machine))

    def run(self, plan: SimulationPlan, first: int, count: int) -> SessionTally:
        """Play the sessions `first`, `first + 1`, … of the plan."""
        machine, cupy = plan.machine, self._cupy
        assert isinstance(machine, Machine)
        kernel = self._kernel(source_of(plan, machine))
        blocks = self._blocks(kernel, count)
        counters = cupy.zeros((WORDS, blocks * _THREADS), cupy.uint64)
        bins = cupy.zeros(plan.bins, cupy.uint64)
        tables = [cupy.asarray(table) for table in tables_of(plan, machine)]
        places = (np.uint64(plan.seed), np.uint64(first), np.uint64(count))
        kernel((blocks,), (_THREADS,), (*places, *tables, counters, bins))
        words = counters.sum(axis=1).get()
        return SessionTally(count, words, bins.get()).checked()

    def _kernel(self, source: str) -> Any:
        if self._compiled is None or self._compiled[0] != source:
            module = self._cupy.RawModule(code=source, options=("--std=c++17",))
            self._compiled = source, module.get_function("play_sessions")
        return self._compiled[1]

    def _blocks(self, kernel: Any, count: int) -> int:
        """Return the number of blocks: as many as fit the device, or are needed."""
        device = self._cupy.cuda.Device()
        at_once = self._cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
            kernel.kernel.ptr, _THREADS, 0
        )
        most = at_once * device.attributes["MultiProcessorCount"]
        return min(int(most), -(-count // _THREADS))


def source_of(plan: SimulationPlan, machine: Machine) -> str:
    """Return the source of the kernel, headed by the plan as macros."""
    text = files("croupier.lab.simulator.gpu").joinpath("sessions.cu").read_text()
    lines = [f"#define {name} {value}" for name, value in _macros(plan, machine)]
    return "\n".join([*lines, "", text])


def _macros(plan: SimulationPlan, machine: Machine) -> list[tuple[str, object]]:
    dice = plan.dice
    target = plan.highest + 1 if plan.target is None else plan.target
    rounds, staked, bankroll = plan.shifts
    return [
        ("THREADS", _THREADS),
        ("SIDES", _long(dice.sides) if dice.bits == 64 else dice.sides),
        ("PER_WORD", dice.per_word),
        ("WIDE", int(dice.bits == 64)),
        ("REJECTED_BELOW", _long(dice.rejected_below)),
        ("ALL_DIGITS", _long(dice.sides**dice.per_word)),
        ("KINDS", len(plan.nets)),
        ("ENDS", ", ".join(map(_long, plan.ends))),
        # The first word whose next outcome is not of the first kind.
        ("SECOND_FROM", _long(-(-(plan.ends[0] << dice.bits) // dice.sides))),
        ("NETS", ", ".join(map(str, plan.nets))),
        ("STATES", len(machine.units)),
        ("ROWS", len(machine.after)),
        ("HAS_SHORT", int(max(machine.short) >= 0)),
        ("AGAIN", int(machine.over_bankroll is Shortfall.START_AGAIN)),
        ("STOPS", int(machine.over_bankroll is Shortfall.STOP)),
        ("UNIT", plan.unit),
        ("TARGET", target),
        ("NEED", max(plan.floor + 1, plan.unit)),
        ("ROUNDS", plan.rounds),
        ("START", plan.bankroll),
        ("HIGHEST", f"{plan.highest}LL"),
        ("BINS", plan.bins),
        ("BIN_SHIFT", plan.bin_shift),
        ("SHIFT_ROUNDS", rounds),
        ("SHIFT_STAKED", staked),
        ("SHIFT_BANKROLL", bankroll),
        ("Money", "int" if money_of(plan) is np.int32 else "long long"),
        ("Staked", "int" if plan.most_staked < _SMALL else "long long"),
        ("PATTERNS", len(plan.nets) ** dice.per_word),
        ("STEPS", len(steps_of(plan, machine))),
    ]


def _long(value: int) -> str:
    return f"{value}ULL"


def money_of(plan: SimulationPlan) -> type[np.int32 | np.int64]:
    """Return a type of 32 bits if all amounts and a block's change fit, else of 64."""
    most = plan.machine.greatest * max(map(abs, (*plan.nets, plan.unit)))
    wide = plan.highest + plan.unit + plan.dice.per_block * most
    return np.int32 if wide < _SMALL else np.int64


def steps_of(plan: SimulationPlan, machine: Machine) -> np.ndarray[Any, Any]:
    """Return the CPU's steps, one for each word; an empty array if they don't fit."""
    kinds, group = len(plan.nets), plan.dice.per_word
    entry = np.dtype(
        [
            ("least", np.int32),
            ("span", np.uint32),
            ("gain", np.int32),
            ("staked", np.uint16),
            ("place", np.uint16),
        ]
    )
    places = len(machine.units) * kinds**group
    most_staked = machine.greatest * group
    if places > _MOST_STEPS or most_staked >= _SHORT or money_of(plan) is not np.int32:
        return np.zeros(0, entry)
    fields = step_table(plan, machine, group).steps.reshape(places, FIELDS)
    steps = np.zeros(places, entry)
    steps["span"] = np.minimum(fields[:, SPAN], _SMALL - 1)
    # No bankroll takes a step whose span is empty; its bounds may not fit.
    steps["least"] = np.where(steps["span"] > 0, fields[:, LEAST], 0)
    steps["gain"], steps["staked"] = fields[:, GAIN], fields[:, STAKED]
    steps["place"] = fields[:, NEXT] // (kinds ** (group - 1) * FIELDS)
    return steps


def tables_of(plan: SimulationPlan, machine: Machine) -> list[np.ndarray[Any, Any]]:
    """Return the machine and the results as arrays, in the kernel's order."""
    money = money_of(plan)
    beyond = plan.highest // plan.unit + 1
    asked = [units or beyond for units in machine.units]
    kinds = len(plan.nets)
    pair = np.dtype([("place", np.int32), ("units", money)], align=True)
    after = [(state * kinds, asked[state]) for row in machine.after for state in row]
    widths = np.diff((0, *plan.ends)) if plan.dice.bits == 32 else [0] * kinds
    return [
        steps_of(plan, machine),
        np.array(after, pair),
        np.array(machine.units, money),
        np.array(machine.short, np.int32),
        np.repeat(np.arange(kinds, dtype=np.uint8), widths),
        np.array(plan.nets, money),
    ]
