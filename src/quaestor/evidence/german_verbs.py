"""German verbs whose forms no stemmer connects: lief and gelaufen are forms of laufen, gebaut of what baute is.

Only of words in small letters: with a capital "Band", "Stand" and "Gewicht" are nouns. Forms that are as often another
word are not among them, as "weiß" and "wart".
"""

import re
from collections.abc import Iterator
from functools import cache

from quaestor.evidence.normalization import normalize

_VERBS = """
    befehlen befahl befohlen befiehlt; beginnen begann begonnen; beißen biss gebissen; bergen barg geborgen birgt;
    biegen bog gebogen; bieten bot geboten; binden band gebunden; bitten bat gebeten; blasen blies geblasen bläst;
    bleiben blieb geblieben; braten briet gebraten brät; brechen brach gebrochen bricht; brennen brannte gebrannt;
    bringen brachte gebracht; denken dachte gedacht; dringen drang gedrungen; empfehlen empfahl empfohlen empfiehlt;
    erlöschen erlosch erloschen erlischt; erschrecken erschrak erschrocken erschrickt; essen aß gegessen isst; fahren
    fuhr gefahren fährt; fallen fiel gefallen fällt; fangen fing gefangen fängt; fechten focht gefochten ficht; finden
    fand gefunden; flechten flocht geflochten flicht; fliegen flog geflogen; fliehen floh geflohen; fließen floss
    geflossen; fressen fraß gefressen frisst; frieren fror gefroren; geben gab gegeben gibt; gedeihen gedieh gediehen;
    gehen ging gegangen geht; gelingen gelang gelungen; gelten galt gegolten gilt; genießen genoss genossen; geschehen
    geschah geschehen geschieht; gewinnen gewann gewonnen; gießen goss gegossen; gleichen glich geglichen; gleiten
    glitt geglitten; graben grub gegraben gräbt; greifen griff gegriffen; halten hielt gehalten hält; hängen hing
    gehangen; hauen hieb gehauen; heben hob gehoben; heißen hieß geheißen; helfen half geholfen hilft; kennen kannte
    gekannt; klingen klang geklungen; kneifen kniff gekniffen; kommen kam gekommen; kriechen kroch gekrochen; laden lud
    geladen lädt; lassen ließ gelassen lässt; laufen lief gelaufen läuft; leiden litt gelitten; leihen lieh geliehen;
    lesen las gelesen liest; liegen lag gelegen; lügen log gelogen; meiden mied gemieden; messen maß gemessen misst;
    misslingen misslang misslungen; nehmen nahm genommen nimmt; nennen nannte genannt; pfeifen pfiff gepfiffen; preisen
    pries gepriesen; quellen quoll gequollen quillt; raten riet geraten rät; reiben rieb gerieben; reißen riss
    gerissen; reiten ritt geritten; rennen rannte gerannt; riechen roch gerochen; ringen rang gerungen; rinnen rann
    geronnen; rufen rief gerufen; saufen soff gesoffen säuft; schaffen schuf; scheiden schied geschieden; scheinen
    schien geschienen; schieben schob geschoben; schießen schoss geschossen; schlafen schlief geschlafen schläft;
    schlagen schlug geschlagen schlägt; schleichen schlich geschlichen; schleifen schliff geschliffen; schließen
    schloss geschlossen; schmeißen schmiss geschmissen; schmelzen schmolz geschmolzen schmilzt; schneiden schnitt
    geschnitten; schreiben schrieb geschrieben; schreien schrie geschrien; schreiten schritt geschritten; schweigen
    schwieg geschwiegen; schwellen schwoll geschwollen schwillt; schwimmen schwamm geschwommen; schwinden schwand
    geschwunden; schwingen schwang geschwungen; schwören schwor geschworen; sehen sah gesehen sieht; senden sandte
    gesandt; singen sang gesungen; sinken sank gesunken; sitzen saß gesessen; spinnen spann gesponnen; sprechen sprach
    gesprochen spricht; sprießen spross gesprossen; springen sprang gesprungen; stechen stach gestochen sticht; stehen
    stand gestanden; stehlen stahl gestohlen stiehlt; steigen stieg gestiegen; sterben starb gestorben stirbt; stinken
    stank gestunken; stoßen stieß gestoßen stößt; streichen strich gestrichen; streiten stritt gestritten; tragen trug
    getragen trägt; treffen traf getroffen trifft; treiben trieb getrieben; treten trat getreten tritt; trinken trank
    getrunken; trügen trog getrogen; tun tat getan; verderben verdarb verdorben verdirbt; vergessen vergaß vergessen
    vergisst; verlieren verlor verloren; verzeihen verzieh verziehen; wachsen wuchs gewachsen wächst; waschen wusch
    gewaschen wäscht; weben wob gewoben; weichen wich gewichen; weisen wies gewiesen; wenden wandte gewandt; werben
    warb geworben wirbt; werfen warf geworfen wirft; wiegen wog gewogen; winden wand gewunden; wissen wusste gewusst;
    ziehen zog gezogen; zwingen zwang gezwungen
"""
"""The infinitive, the first person of the past, the participle, and the third person of the present with its vowel."""
_SEPARABLE = (
    "ab an auf aus bei dar ein fest fort frei her hin los mit nach statt teil um vor weg weiter zu zurück zusammen"
)
_INSEPARABLE = "be ent er ge miss ver zer über unter wider"
_PREFIX = re.compile(
    rf"(?:{'|'.join(sorted(normalize(f'{_SEPARABLE} {_INSEPARABLE}').split(), key=len, reverse=True))})"
)
_PARTICIPLE = re.compile(rf"(?P<before>(?:{'|'.join(normalize(_SEPARABLE).split())})?)ge(?P<stem>[^\W\d_]{{3,}}t)")
_NO_PARTICIPLES = frozenset({"gerecht", "gesamt", "insgesamt"})
_ENDINGS = ("", "e", "en", "st", "t")
_OPENER = re.compile(r"(?:\A|[.!?:;]\s|\n)\W*(?P<word>[^\W\d_]+)(?= )")


def to_common_verb(word: str) -> str:
    """Return the infinitive of a strong verb of which a folded word in small letters is a form, else the word itself.

    Of the participle of any other verb it is the form of the present: baut of gebaut, ablehnt of abgelehnt.
    """
    forms = _infinitives()
    if word in forms:
        return forms[word]
    if prefix := _PREFIX.match(word):
        rest = word[prefix.end() :].removeprefix("zu")
        base = forms.get(rest) or forms.get(f"ge{rest}")  # vernommen
        if base:
            return f"{prefix[0]}{base}"
    weak = None if word in _NO_PARTICIPLES else _PARTICIPLE.fullmatch(word)
    return f"{weak['before']}{weak['stem']}" if weak else word


def opening_verbs(text: str) -> list[str]:
    """Return in small letters the forms of verbs that begin a sentence with a capital: "Gekauft wurde"."""
    openers = (normalize(found["word"]) for found in _OPENER.finditer(text))
    return [word for word in openers if to_common_verb(word) != word]


@cache
def _infinitives() -> dict[str, str]:
    """Return the infinitives of strong verbs by their forms."""
    return {
        form: infinitive for entry in _VERBS.split(";") for form, infinitive in _forms_of(*normalize(entry).split())
    }


def _forms_of(infinitive: str, past: str, *others: str) -> Iterator[tuple[str, str]]:
    """Yield the forms of a verb, each with its infinitive: those of the present and the past with their endings."""
    stem = infinitive.removesuffix("n").removesuffix("e")
    yield from ((f"{stem}{ending}", infinitive) for ending in _ENDINGS[1:])
    yield from ((f"{past}{ending}", infinitive) for ending in _ENDINGS)
    yield from ((form, infinitive) for form in others)
