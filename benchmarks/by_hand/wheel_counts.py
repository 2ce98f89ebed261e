"""The chi-square of a list of outcomes, as a user would write it in a few lines."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from scipy.stats import chisquare  # type: ignore[import-untyped]

counts = Counter(Path(sys.argv[1]).read_text("utf-8").split())
print(chisquare(list(counts.values())).pvalue)
