"""``dadu model``: models that DaDu itself does not bring."""

from dadu.cli.verbs import verb_group

app = verb_group("dadu.cli.model", "Get the models that DaDu itself does not bring.",
                 {"get": "Installs one and converts it."})
