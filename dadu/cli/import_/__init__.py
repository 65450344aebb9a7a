"""``dadu import``: homes and tasks of others. One file a format."""

from __future__ import annotations

from dadu.cli.verbs import verb_group

app = verb_group("dadu.cli.import_", """Take over homes and tasks of others. Each format ends with a report: what was \
taken over, what was changed and by how much, what was left out and why; all of it, item by item, is in import.json \
beside what was written.""", {
    "alfred": "Makes suites of ALFRED's and EB-ALFRED's tasks, in rooms like iTHOR's.",
    "bddl": "Makes a suite of BEHAVIOR's activities (BDDL), with homes.",
    "partnr": "Makes a suite of PARTNR's instructions, with homes.",
    "procthor": "Makes house files of ProcTHOR houses (AI2-THOR's JSON).",
})
