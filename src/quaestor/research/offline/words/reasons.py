"""Questions for a reason, and the words by which a text gives one."""

import re

_WHY = re.compile(
    r"\b(?:why|warum|wieso|weshalb|pourquoi|por qué|perch[eé]|porqu[eê]|waarom|dlaczego|почему|зачем)\b"
    r"|\bwhat (?:is|are|was|were) the reasons?\b|为什么|为何|なぜ|どうして|لماذا",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since(?! (?:\d|then\b|(?-i:[A-Z])))|due to|owing to|thanks to|on account of|so that|in order to"
    r"|reasons?|weil|damit|denn|wegen|aufgrund|parce qu|afin|en raison|à cause|porque|por causa|debido|ya que|para que"
    r"|perché|poiché|siccome|a causa|omdat|vanwege|zodat|ponieważ|gdyż|z powodu|потому что|так как|поскольку|из-за"
    r")(?!\w)|因为|由于|因為|から|ため|ので|لأن|بسبب",
    re.IGNORECASE,
)
"""In English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, Chinese, Japanese and Arabic."""


def asks_for_reasons(question: str) -> bool:
    """Return whether a question asks why."""
    return _WHY.search(question) is not None


def gives_reason(text: str) -> bool:
    """Return whether a text has a word by which a reason is given."""
    return _REASON.search(text) is not None
