"""One recipe of training, whatever the network: `recipe.py` tells it from data to figures, `loop.py` takes the steps,
`eyes.py` is what the networks have in common that see; a network's own folder brings data set, model, loss, measures.
"""
