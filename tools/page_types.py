"""The TypeScript types of the pages, generated from the schemas that a house serves.

`make generated` writes `pages/src/generated/schema.ts` again.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from croupier.protocol.schema import protocol_schema
from croupier.web.api import whole_api
from croupier.web.openapi import document

PAGES = Path(__file__).parents[1] / "pages"
WRITTEN = PAGES / "src/generated/schema.ts"


def write_types(to: Path) -> None:
    """Generate the types from the served documents; raises if the generator fails."""
    served = {
        "protocol": protocol_schema(),
        "openapi": document(whole_api().endpoints, version="any"),
    }
    # `make` installs Node beside Python if the system has none.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    node = shutil.which("node", path=path)
    assert node is not None, "the pages need Node: `make pages` installs it"
    subprocess.run(
        [node, "scripts/types.mjs", str(to)],
        cwd=PAGES,
        input=json.dumps(served).encode(),
        check=True,
    )


if __name__ == "__main__":
    write_types(WRITTEN)
