"""English verbs and nouns whose forms no stemmer connects: left is a form of leave, mice are several mouse.

Each has the index term of its base, so that "Why did he leave?" finds "He left". Forms that are as often another word
are not among them: found, rose, saw, ground, bound, wound, led, lives, leaves, media.
"""

_FORMS = """
    arise arose arisen; awake awoke awoken; beat beaten; begin began begun; bend bent; bite bitten; bleed bled; blow
    blew blown; break broke broken; breed bred; bring brought; build built; burn burnt; buy bought; catch caught;
    choose chose chosen; come came; creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk;
    drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; flee fled; fly flew flown;
    forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; go goes went
    gone; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept; know knew known; lay laid;
    leave left; lend lent; lose lost; mean meant; meet met; mistake mistook mistaken; overthrow overthrew overthrown;
    pay paid; ride rode ridden; ring rang; run ran; seek sought; sell sold; send sent; shake shook shaken; shine shone;
    shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid;
    speak spoke spoken; spend spent; spin spun; spoil spoilt; stand stood; steal stole stolen; stick stuck; sting
    stung; strike struck; strive strove; swear swore sworn; sweep swept; swim swam swum; swing swung; take took taken;
    teach taught; tear tore torn; tell told; think thought; throw threw thrown; understand understood; undertake
    undertook undertaken; uphold upheld; wake woke woken; wear wore worn; weave wove woven; weep wept; win won;
    withdraw withdrew withdrawn; withhold withheld; write wrote written;
    calf calves; child children; criterion criteria; crisis crises; foot feet; fungus fungi; goose geese; half halves;
    hypothesis hypotheses; index indices; knife knives; loaf loaves; man men; matrix matrices; mouse mice;
    nucleus nuclei; ox oxen; phenomenon phenomena; shelf shelves; thesis theses; thief thieves; tooth teeth;
    vertex vertices; wife wives; wolf wolves; woman women
"""
BASE_OF = {form: entry.split()[0] for entry in _FORMS.split(";") for form in entry.split()[1:]}
"""The verb or noun of each form, both in small letters."""


def to_base_form(word: str) -> str:
    """Return the verb or noun in small letters of which a word is an irregular form, else the word itself."""
    return BASE_OF.get(word, word)
