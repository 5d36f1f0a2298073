"""English nouns of what is done, and of who does it, that no stemmer connects with their verbs: a death, a winner.

Each has the index term of its verb, so that "How many people died?" finds a column of deaths, and "Who won?" a winner.
Nouns that are as often something else are not among them: driver, leader, introduction, application, flight.
"""

_NOUNS = """
    advise: advice; audit: auditor auditors; believe: belief beliefs; bury: burial burials; buy: buyer buyers;
    choose: choice choices; clean: cleaner cleaners; close: closure closures; collect: collector collectors;
    collide: collision collisions; compare: comparison comparisons; complain: complaint complaints;
    create: creator creators; decide: decision decisions; deep: depth depths; defend: defence defense;
    deliver: delivery deliveries; depart: departure departures; describe: description descriptions;
    destroy: destruction; die: death deaths; discover: discovery discoveries; donate: donor donors; expire: expiry;
    explain: explanation explanations; fail: failure failures; grow: growth; inhabit: inhabitant inhabitants;
    injure: injury injuries; inspect: inspector inspectors; invade: invasion invasions; invent: inventor inventors;
    judge: judgment judgments judgement judgements; know: knowledge; lend: lender lenders; lose: loss losses;
    marry: marriage marriages; member: membership memberships; paint: painter painters; pay: payment payments;
    permit: permission permissions; prove: proof proofs; recover: recovery recoveries; reduce: reduction reductions;
    rent: rental rentals; respond: response responses; sell: sale sales seller sellers; sing: singer singers;
    speak: speaker speakers speech speeches; steal: theft thefts; strong: strength strengths;
    subscribe: subscription subscriptions; succeed: successor successors; supply: supplier suppliers;
    survey: surveyor surveyors; survive: survivor survivors; teach: teacher teachers; train: trainer trainers;
    treat: treatment treatments; visit: visitor visitors; weigh: weight weights; wide: width widths;
    win: winner winners; write: writer writers
"""
_VERB_OF = {
    noun: verb.strip()
    for entry in _NOUNS.split(";")
    for verb, _, nouns in [entry.partition(":")]
    for noun in nouns.split()
}


def to_related_verb(word: str) -> str:
    """Return the verb or the adjective of which a word in small letters is such a noun, else the word itself."""
    return _VERB_OF.get(word, word)
