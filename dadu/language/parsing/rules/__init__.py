"""Trees to frames: one method a rule of ``english.lark``.

`nouns.py` things, `places.py` where, `claims.py` what is so, `orders.py` what is to be done, `sentences.py` in which
order.
"""
