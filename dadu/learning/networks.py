"""The networks that are trained, by the names that ``dadu train`` knows them by. One more is a folder and a line here.
"""

NETWORKS: dict[str, tuple[str, str]] = {
    "detector": ("dadu.learning.detector.recipe:DetectorRecipe",
                 "Trains, evaluates and exports the network by which perception:=learned finds things."),
    "namer": ("dadu.learning.namer.recipe:NamerRecipe", "Trains and exports the one that names them."),
    "planner": ("dadu.learning.planner.recipe:PlannerRecipe",
                "Trains and evaluates a language model that chooses what to do."),
    "states": ("dadu.learning.states.recipe:StatesRecipe",
               "Trains, evaluates and exports the network that tells what state things are in."),
}
"""Name to recipe and to what its verb does."""
