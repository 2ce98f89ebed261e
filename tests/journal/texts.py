"""Texts that a journal must keep as they are."""

from __future__ import annotations

TEXTS = {
    "plain": "{}",
    "empty": "",
    "spaces at the ends": "  two \t",
    "line ends": "a\r\nb\rc\nd\u2028e\u0085f",
    "quotes and escapes": r"""'"\" \\ \u0000 \n ` $1 %s ? {} :name""",
    "controls": "".join(map(chr, range(1, 32))) + "\x7f",
    "scripts": "Zürich Ωmega 東京 עברית العربية ไทย",
    "beyond the first plane": "🎲🃏\U0001d7d8\U0010ffff\uffff",
    "composed and decomposed": "é e\u0301 Å Å \u200d\ufeff",
    "numbers as text": "1e5 0.10 -0 007 NaN null true",
    "three megabytes": "ça va " * 500_000,
}
