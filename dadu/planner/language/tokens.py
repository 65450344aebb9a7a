"""An instruction as tokens, each with the parts of speech that it may have; phrases of several words are one token."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dadu.planner.language.lexicon import Lexicon, Words

_NICE = (r"(?:nice|lovely|great|good|perfect|wonderful|fine|ideal|welcome|appreciated|helpful|fantastic|awesome|handy|"
         r"pretty|better|best|delightful|super|cool|splendid|marvellous|brilliant|much better|kind)")
_CONTRACTIONS = (
    (r"if you (?:can|could|like|want|would|do not mind|don't mind|have time|please)(?=\s*(?:[,.!?;]|$))", ""),
    (r"do the (?:dishes|washing up)", "wash the dishes"),
    (r"needs? (?:a )?(?:wash|washing|cleaning|rinsing|good wash)", "should be washed"),
    (r"needs? (?:warming|heating)(?: up)?", "should be heated"), (r"needs? (?:cooling|chilling)", "should be cooled"),
    (r"needs? filling(?: up)?", "should be filled"), (r"needs? (?:slicing|cutting)", "should be sliced"),
    (r"(?:all )?(?:of )?the contents of", "everything in"),
    (r"plug (it|them) in", r"turn \1 on"), (r"(?:help me )?do the laundry(?=\s*[.:;!])", ""),
    (r"(?:could|can) (the [a-z ]{2,40}?) (?:please )?be(?= [a-z]+(?:ed|en|t)\b)", r"\1 should be"),
    (r"(?:help me |let us |let's )?get (?:every ?thing )?ready for [a-z' ]{3,30}(?=\s*[.:;!])", ""),
    (r"get rid of (?:the |all the )?(?:clutter|mess|stuff)", "clear the things"),
    (r"u", "you"), (r"pls|plz", "please"), (r"thx|thanx", "thanks"),
    (r"can't|cannot|couldn't", "can not"), (r"won't", "will not"),
    (r"(do|does|is|are|was|were|has|have|should|must)n't", r"\1 not"),
    (r"i'm", "i am"), (r"(it|that|there|where|what|he|she)'s", r"\1 is"), (r"(i|you|we|they)'d", r"\1 would"),
    (r"(i|you|we|they)'ve", r"\1 have"), (r"(i|you|we|they)'ll", r"\1 will"), (r"(you|we|they)'re", r"\1 are"),
    (r"a (?:bad |nasty |terrible |slight )?cold(?= *(?:[,.!?;]|$|and |so |but ))", "the flu"),
    (r"gimme", "give me"), (r"wanna", "want to"), (r"gonna", "going to"), (r"gotta", "have to"),
    (r"i am (?:very|so|really|quite|pretty|a bit|a little|rather|extremely|too|feeling|kind of|getting|still|just)"
     r"(?: (?:very|so|really|quite|a bit|a little|rather))?", "i am"),
    (r"i feel (?:very|so|really|quite|pretty|a bit|a little|rather|extremely|kind of)", "i feel"),
    (r"(\w+)'s", r"\1"),
    (r"(my|his|her|your|grandma|grandpa|mom|dad) glasses", r"\1 spectacles"),
    (r"(?:light|dark|pale|bright) (?=(?:red|green|blue|yellow|brown|grey|gray|pink|purple|orange) )", ""),
    (r"(?<!for )a (?:second|third|fourth|fifth)(?= \w)", "another"),
    (r"the others", "the other ones"),
    (r"(?<=\w )what(?:ever)? is (?:inside|in it|in there)(?=\s*(?:[,.;]|and|$))", "everything in it"),
    (r"by(?= (?:putting|placing|moving|bringing|taking|carrying|removing) )", ":"),
    (r",? ?(?:beside|next to|with) what(?:ever)? (?:is|stands|lies) (?:there|already there)", ""),
    (r"what(?:ever)? (?:is|stands|lies) (?:there|already there)", "the things there"),
    (r"(?:whatever|anything that) (?:is|stands|lies)(?= (?:on|in|inside|at) )", "everything"),
    (r"so that (?:it|they) (?:is|are|stands?|sits?|lies?|ends? up|will be)"
     r"(?= (?:next to|beside|near|between|on|in|inside|close to) )", ""),
    (r"(?:it|they) (?:must|should|might|may|could) (?:still )?be somewhere(?= (?:on|in|at) )", r"it is"),
    (r"(?:must|should|might) be somewhere(?= (?:on|in|at) )", "are"),
    (rf"would (?:really |also |certainly |just )?(?:be|look|do) (?:so |very |really |just |quite |much |most )?{_NICE}",
     "would be nice"),
    (r"(?:it|that) would be nice (?:to (?:have|see|get|find)|if (?:i|we) (?:had|could have|got)|if there (?:was|were))",
     "i would like"),
    (r"it would be nice if(?! you)|i wish(?= (?:the|my|our|a|an|all|some|it|they) )", "make sure that"),
    (r"(i|we) would (?:rather |love to |like to |be (?:happy|glad|pleased|delighted|grateful|thankful) to |prefer to |"
     r"not mind )(?:have|having|see|seeing)", r"\1 would like"),
    (r"i would (?:not mind|not say no to|be (?:happy|glad|pleased|delighted|grateful|thankful) (?:about|with|for))",
     "i would like"),
    (r"(?:how|what) about(?: having)?(?= (?:a|an|the|some|my|our) )", "i would like"),
    (r"where (?:people|customers|you|we|one|they) (?:would )?(?:usually |normally |always )?"
     r"(?:look for|find|expect|keep|store|put) (?:it|them)", "where they belong"),
    (r"(?:each |all )?(?:to|on|onto|at|in) the (?:place|table|shelf|spot|rack|places|tables|shelves) where "
     r"(?:it|they|its kind|their kind|such things|that kind|each|each of them) (?:belongs?|goe?s?|should be)",
     "where they belong"),
    (r"(?:has|have|needs?|must|should|ought)(?: to)? "
     r"(?:go out|be sent(?: out| off| away)?|leave the (?:house|store|shop))",
     "should be shipped"),
    (r"(?:get|make) (it|them|this|these) ready (?:for shipping|for shipment|to ship|for dispatch|to be shipped)",
     r"ship \1"),
    (r"(?:send|ship|mail|post) (it|them|this|these) (?:off|out|away)", r"ship \1"),
    (r"(?:leave|keep) ((?:the|my|our) [\w ]+?) (shut|closed|open)(?= *(?:[,.!?;]|$| and | when | after | then ))",
     r"make sure that \1 is \2"),
)
"""short forms and empty words, in the order in which they are replaced"""


@dataclass(frozen=True)
class Token:
    """One word, one phrase of the lexicon, or one punctuation mark."""

    words: Words
    tags: dict[str, str] = field(default_factory=dict)
    """possible parts of speech and their values; empty: a word that may be a noun or an adjective"""

    @property
    def text(self) -> str:
        return " ".join(self.words)

    def has(self, *tags: str) -> bool:
        """Whether it may be one of these."""
        return any(tag in self.tags for tag in tags)


def tokenise(instruction: str, lexicon: Lexicon) -> list[Token]:
    """Lower-cased tokens; ``. ; ! ?`` and line ends become ``.``."""
    text = instruction.lower().replace("’", "'").replace("-", " ").replace("_", " ")
    for short, long in _CONTRACTIONS:
        text = re.sub(rf"(?<!\w)(?:{short})(?!\w)", long, text)
    words = re.findall(r"[a-z0-9]+(?:'[a-z]+)?|[.;:!?\n,&]", text)
    words = ["." if w in ".;!?\n" else w for w in words]
    out, i = [], 0
    while i < len(words):
        for length in range(min(lexicon.longest, len(words) - i), 0, -1):
            phrase = tuple(words[i:i + length])
            if phrase in lexicon.tags or length == 1:
                out.append(Token(phrase, dict(lexicon.tags.get(phrase, _own_tags(phrase[0])))))
                i += length
                break
    return out


def _own_tags(word: str) -> dict[str, str]:
    if word in (".", ":"):
        return {"end": word}
    if word == ",":
        return {"comma": word}
    return {"number": word} if word.isdigit() else {}
