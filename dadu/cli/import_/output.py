"""How every import ends."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from dadu.imports.report import ImportReport, write_reports


def finish(reports: Sequence[ImportReport], out: Path, source: str) -> None:
    """Says what was done, source by source where there are a few, and together; writes the reports to the folder."""
    if 1 < len(reports) <= 10:
        for report in reports:
            typer.echo("\n".join(report.sentences()))
    typer.echo("\n".join(ImportReport.of_all(reports, source).sentences()))
    typer.echo(f"wrote {write_reports(reports, out)}")
