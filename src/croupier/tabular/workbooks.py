"""Workbooks of XLSX: text tables, a sheet each.

A workbook is a zip of small XML files. A library would be one more dependency for one
option, and it would write the current date; here the same tables give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from html import escape
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from croupier.tabular.tables import TextTable

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_NUMBER = re.compile(r"-?\d[\d,]*(\.\d+)?( %)?")


def workbook(tables: Sequence[TextTable]) -> bytes:
    """Return an XLSX file; right-aligned numbers are stored as numbers."""
    sheets, links, kinds, parts = "", "", "", {}
    for number, table in enumerate(tables, 1):
        path = f"worksheets/sheet{number}.xml"
        parts[f"xl/{path}"] = _sheet(table)
        # A sheet's name has at most 31 characters and hardly any punctuation.
        title = re.sub(r"[^\w ,.]", " ", f"{number} {table.title}")[:31].rstrip()
        sheets += f'<sheet name="{title}" sheetId="{number}" r:id="rId{number}"/>'
        links += _link(number, "worksheet", path)
        kinds += _override(f"xl/{path}", "worksheet")
    parts["xl/workbook.xml"] = (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>{sheets}</sheets>'
        "</workbook>"
    )
    parts["xl/_rels/workbook.xml.rels"] = _related(links)
    parts["_rels/.rels"] = _related(_link(1, "officeDocument", "xl/workbook.xml"))
    parts["[Content_Types].xml"] = (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f"{_override('xl/workbook.xml', 'sheet.main')}{kinds}</Types>"
    )
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        for path, xml in reversed(parts.items()):
            archive.writestr(ZipInfo(path), f'<?xml version="1.0"?>{xml}', ZIP_DEFLATED)
    return file.getvalue()


def _link(number: int, kind: str, path: str) -> str:
    return f'<Relationship Id="rId{number}" Type="{_LINKS}/{kind}" Target="{path}"/>'


def _related(links: str) -> str:
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'


def _override(path: str, kind: str) -> str:
    return f'<Override PartName="/{path}" ContentType="{_KIND}.{kind}+xml"/>'


def _sheet(table: TextTable) -> str:
    rows = [[_cell(each, right=False)] for each in (table.title, *table.notes) if each]
    rows.append([_cell(name, right=False) for name in table.names])
    rows += [list(map(_cell, row, table.is_right)) for row in table.rows]
    written = "".join(f"<row>{''.join(row)}</row>" for row in rows)
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{written}</sheetData></worksheet>'


def _cell(text: str, right: bool) -> str:
    """Return a number, or text that no program takes for a formula."""
    if right and _NUMBER.fullmatch(text):
        value = text.removesuffix(" %").replace(",", "")
        percent = Decimal(value) / 100 if text.endswith("%") else value
        return f"<c><v>{percent}</v></c>"
    printable = "".join(each if each.isprintable() else " " for each in text)
    return f'<c t="inlineStr"><is><t>{escape(printable)}</t></is></c>'
