"""The small words with which a sentence states a date, goes on after it or takes it back, by language."""

from collections.abc import Mapping
from types import MappingProxyType

from quaestor.contracts.immutable import Immutable


class StatementWords(Immutable, kw_only=True):
    """The words of one language, casefolded."""

    plain: frozenset[str]
    """Prepositions of dates, auxiliary verbs of the past and adverbs that change nothing of what a sentence states."""
    articles: frozenset[str]
    followers: frozenset[str]
    """They begin what is said further of a statement that is whole."""
    reserves: frozenset[str]
    """They deny, doubt or condition what stands before them."""
    planning: frozenset[str]
    """In a question they ask for what is to come, of which no text can say that it came about."""
    retelling: frozenset[str]
    """In a sentence beside a statement they make it what others say, or what came about once more."""
    fictional: frozenset[str]
    """In a heading or a title they make what is below it a tale, a guess or what is still to be found out."""


def _words(
    *, plain: str, articles: str, followers: str, reserves: str, planning: str, retelling: str = "", fictional: str = ""
) -> StatementWords:
    return StatementWords(
        plain=frozenset(plain.split()),
        articles=frozenset(articles.split()),
        followers=frozenset(followers.split()),
        reserves=frozenset(reserves.split()),
        planning=frozenset(planning.split()),
        retelling=frozenset(retelling.split()),
        fictional=frozenset(fictional.split()),
    )


_ENGLISH = _words(
    plain="on in was were officially formally ceremonially solemnly finally eventually",
    articles="the a an",
    planning="do does will shall is are",
    followers="by in at to from with under over near into after before during and but when where while",
    reserves="not never nobody none if unless should would could might false wrong planned intended scheduled supposed"
    " expected proposed postponed cancelled canceled rumour rumor allegedly reportedly legend claimed claims believed"
    " thought said says hoped",
    retelling="no if say says said tells tell told again memory memoirs tradition historians think copy proof sentence"
    " actually really truth otherwise mistaken error story obituary rumoured least plan plans announced announcement"
    " sure unsure knows guess doubt doubtful uncertain unclear invented",
    fictional="legend legends tale tales fiction serial novel play plays joke jokes april dream dreams rumour rumours"
    " rumor rumors gossip hearsay folklore myth myths might unsure unconfirmed uncertain unverified check if",
)
_WORDS: Mapping[str, StatementWords] = MappingProxyType(
    {
        "en": _ENGLISH,
        "de": _words(
            plain="am im wurde wurden worden hat haben sich offiziell feierlich förmlich endlich"
            " schließlich zuerst erstmals",
            articles="der die das den dem des ein eine einen einem einer eines",
            planning="wird werden findet finden",
            followers="von vom durch in im an am auf bei mit zu zum zur nach vor aus und aber doch während als wo",
            reserves="nicht nie niemals niemand kein keine wenn falls soll sollte sollten würde würden könnte geplant"
            " vorgesehen angeblich verschoben abgesagt laut heißt glaubte behauptete legende",
            retelling="wenn sagt sagte erzählt erzählte wieder erneut erinnerung erinnerungen sage historiker glauben"
            " beleg satz eigentlich tatsächlich wirklichkeit irrtum mindestens plan"
            " angekündigt unsicher zweifel erfunden",
            fictional="sage sagen legende legenden märchen gerücht gerüchte aprilscherz roman theaterstück traum träume"
            " ungeklärt ungeprüft unsicher prüfen wäre",
        ),
        "fr": _words(
            plain="en au a ont été fut furent s officiellement solennellement formellement finalement enfin",
            articles="le la les l un une",
            planning="sera seront va vont aura",
            followers="par à au aux dans en avec pour sur sous chez après avant pendant et mais quand où",
            reserves="ne n pas jamais si devait devrait prévu prévue reporté reportée annulé annulée selon dit légende",
            retelling="si dit raconte nouveau encore mémoire mémoires historiens pensent preuve phrase réalité erreur"
            " moins annoncé doute inventé",
            fictional="légende légendes conte contes roman feuilleton pièce rumeur rumeurs rêve rêves vérifier",
        ),
        "es": _words(
            plain="en se fue fueron ha han sido oficialmente solemnemente formalmente finalmente",
            articles="el la los las un una",
            planning="será serán va van",
            followers="por a al en con para sobre tras después durante y pero cuando donde",
            reserves="no nunca nadie si debía debería previsto prevista aplazado aplazada cancelado cancelada según"
            " dijo leyenda",
            retelling="si dijo dice dicen cuenta otra vez memoria memorias historiadores creen prueba frase error"
            " menos anunciado duda inventado",
            fictional="leyenda leyendas cuento cuentos novela rumor rumores sueño sueños comprobar",
        ),
        "it": _words(
            plain="nel in si fu furono ha hanno stato stata stati state ufficialmente solennemente finalmente infine",
            articles="il lo la i gli le l un una uno",
            planning="sarà saranno",
            followers="da dal dalla a al alla in nel nella con per su dopo durante e ma quando dove",
            reserves="non mai nessuno se doveva dovrebbe previsto prevista rinviato rinviata annullato annullata"
            " secondo disse leggenda",
        ),
        "pt": _words(
            plain="em no se foi foram tem sido oficialmente solenemente formalmente finalmente",
            articles="o a os as um uma",
            planning="será serão vai vão",
            followers="por pelo pela em no na ao à com para sobre após durante e mas quando onde",
            reserves="não nunca ninguém se devia deveria previsto prevista adiado adiada cancelado cancelada segundo"
            " disse lenda",
        ),
        "nl": _words(
            plain="op in werd werden heeft hebben officieel plechtig formeel eindelijk eerst",
            articles="de het een",
            planning="wordt zal zullen",
            followers="door in op aan bij met voor naar na tijdens en maar toen terwijl waar",
            reserves="niet nooit niemand geen indien als zou zouden gepland uitgesteld afgelast volgens zei legende",
        ),
        "ru": _words(
            plain="в был была было были официально торжественно наконец впервые",
            articles="",
            planning="будет будут",
            followers="в во на с со у при для под над после перед и но когда где",  # noqa: RUF001 (Russian)
            reserves="не никогда никто если бы должен должна планировался планировалось отложен отменен якобы"
            " согласно сказал легенда",
        ),
    }
)


def statement_words(language: str | None) -> StatementWords:
    """Return the words of a language; the English ones where none is known, or none are."""
    return _WORDS.get(language or "en", _ENGLISH)
