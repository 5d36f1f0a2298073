"""The small words by which a sentence denies, bounds and joins what it tells, by language."""

from collections.abc import Mapping
from types import MappingProxyType

from quaestor.contracts.immutable import Immutable


class StatementWords(Immutable, kw_only=True):
    """The words of one language, casefolded; an article that is a preposition too stands in both."""

    reserves: frozenset[str]
    """They deny, doubt, condition, wish or plan what their sentence tells."""
    bounds: frozenset[str]
    """Before a date they make it the beginning or the end of a time."""
    possessive: frozenset[str]
    """Prepositions between a thing and what it belongs to."""
    prepositions: frozenset[str]
    """All others, but those of a date."""
    articles: frozenset[str]
    conjunctions: tuple[str, ...]
    """They join clauses."""
    genitives: frozenset[str] = frozenset()
    """Articles that say by themselves to what a noun belongs."""


def _words(
    *,
    reserves: str,
    bounds: str,
    possessive: str,
    prepositions: str,
    articles: str,
    joined_by: str,
    genitives: str = "",
) -> StatementWords:
    return StatementWords(
        reserves=frozenset(reserves.split()),
        bounds=frozenset(bounds.split()),
        possessive=frozenset(possessive.split()),
        prepositions=frozenset(prepositions.split()),
        articles=frozenset(articles.split()),
        conjunctions=tuple(joined_by.split()),
        genitives=frozenset(genitives.split()),
    )


_ENGLISH = _words(
    reserves="not never nobody none neither nor without hardly cannot if unless whether should would could might false"
    " planned plans intended scheduled supposed expected proposed postponed cancelled canceled rumour rumor rumoured"
    " rumored allegedly almost nearly wish wished hope hoped want wanted announced will shall",
    bounds="until till before after by between past since",
    possessive="of for from",
    prepositions="on about against to at in into with by near under over behind around between",
    articles="the a an this that these those his her its their our my",
    joined_by="and but while whereas",
)
_WORDS: Mapping[str, StatementWords] = MappingProxyType(
    {
        "en": _ENGLISH,
        "de": _words(
            reserves="nicht nie niemals niemand kein keine keinen keinem keiner ohne kaum wenn falls ob soll sollte"
            " sollen sollten würde würden könnte geplant vorgesehen angeblich fast beinahe verschoben abgesagt"
            " angekündigt wird werden",
            bounds="bis vor nach seit zwischen",
            possessive="von vom",
            prepositions="für über zu zum zur an am auf bei beim mit gegen im in ins aus unter hinter neben um",
            articles="der die das den dem des ein eine einen einem einer eines",
            genitives="der des einer eines",
            joined_by="und aber während doch",
        ),
        "fr": _words(
            reserves="ne n pas jamais aucun aucune sans si devait devrait prévu prévue reporté reportée annulé annulée"
            " presque failli sera seront",
            bounds="jusque jusqu avant après depuis entre",
            possessive="de du des d",
            prepositions="à au aux pour sur dans en avec contre chez sous",
            articles="le la les l un une ce cet cette son sa ses",
            joined_by="et mais tandis",
        ),
        "es": _words(
            reserves="no nunca nadie ningún ninguna sin si debía debería previsto prevista aplazado aplazada cancelado"
            " cancelada casi será serán",
            bounds="hasta antes después desde entre",
            possessive="de del",
            prepositions="al a para sobre con contra por en",
            articles="el la los las un una su sus",
            joined_by="y pero mientras",
        ),
        "it": _words(
            reserves="non mai nessuno nessuna senza se doveva dovrebbe previsto prevista rinviato rinviata annullato"
            " annullata quasi sarà saranno",
            bounds="fino prima dopo fra tra",
            possessive="di del della dello dei degli delle dell",
            prepositions="a al alla per su sul sulla sullo con contro in nel nella da dal dalla",
            articles="il lo la i gli le un una uno l",
            joined_by="e ma mentre",
        ),
        "pt": _words(
            reserves="não nunca ninguém nenhum nenhuma sem devia deveria previsto prevista adiado adiada cancelado"
            " cancelada quase será serão",
            bounds="até antes depois desde entre",
            possessive="de do da dos das",
            prepositions="para sobre com contra por em no na nos nas ao à",
            articles="o a os as um uma seu sua",
            joined_by="e mas enquanto",
        ),
        "nl": _words(
            reserves="niet nooit niemand geen zonder indien zou zouden gepland uitgesteld afgelast bijna zal zullen",
            bounds="tot voor na sinds tussen",
            possessive="van",
            prepositions="voor met tegen aan op in bij over onder uit",
            articles="de het een deze dit zijn haar",
            joined_by="en maar terwijl",
        ),
        "pl": _words(
            reserves="nie nigdy nikt bez jeśli jeżeli gdyby miał miała planowany planowana odwołany odwołana"
            " prawie będzie będą",
            bounds="do po przed od między",
            possessive="dla",
            prepositions="o na w we z ze przy pod nad",
            articles="",
            joined_by="i ale a",
        ),
        "ru": _words(
            reserves="не никогда никто нет без если бы должен должна планировался планировалось отложен отменен"
            " почти будет будут",
            bounds="до после перед с между",  # noqa: RUF001 (Russian)
            possessive="для",
            prepositions="о об на в во к ко при под над из от",  # noqa: RUF001 (Russian)
            articles="",
            joined_by="и но а",  # noqa: RUF001 (Russian)
        ),
    }
)


def statement_words(language: str | None) -> StatementWords:
    """Return the words of a language; the English ones where none is known, or none are."""
    return _WORDS.get(language or "en", _ENGLISH)
