"""``report.html`` of a run."""
