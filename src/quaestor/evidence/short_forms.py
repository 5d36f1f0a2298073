"""What texts write in short, by language: units, months, days of the week, titles and labels."""

from collections.abc import Mapping


def _short_forms(entries: str) -> Mapping[str, str]:
    """Return the full words of each short form; an entry is "full words = short forms"."""
    found: dict[str, str] = {}
    for entry in filter(None, map(str.strip, entries.split(";"))):
        full, _, shorts = entry.partition(" = ")
        found |= {short: f"{found.get(short, '')} {full}".strip() for short in shorts.split()}
    return found


UNITS = _short_forms(
    """
    kilometre kilomètre kilómetro quilómetro quilômetro chilometro = km; metre Meter mètre metro = m;
    centimetre Zentimeter centimètre centímetro centimetro = cm; millimetre Millimeter milímetro millimetro = mm;
    kilogram kilogramme Kilogramm kilo kilogramo kilogramos chilogrammo quilo quilograma = kg;
    gram gramme Gramm gramo gramos grammo grama = g; milligram Milligramm miligramo milligrammo = mg;
    tonne ton Tonne tonelada tonnellata = t; litre Liter litro = l; millilitre Milliliter mililitro millilitro = ml;
    hectare Hektar hectárea ettaro = ha; mile = mi; foot feet = ft; pound = lb lbs; ounce = oz;
    hour Stunde heure hora ora uur = h hr hrs; minute Minute minuto minuut = min mins;
    second Sekunde seconde segundo secondo = sec secs;
    per cent percent Prozent procent pourcent cento ciento = %; degree Grad degré grado grau graad = °;
    degree Celsius Grad degré grado grau graad = °C; degree Fahrenheit = °F;
    euro Euro = € EUR; pound Pfund livre libra sterlina pond = £ GBP; dollar Dollar dólar dollaro = $ USD;
    franc Franken franco frank = CHF
    """
)
"""By their signs, as they stand behind a number; those of money also before it."""
UNITS_BEHIND_WORDS = ("km", "cm", "mm", "kg", "mg", "ml", "hrs", "mins", "secs", "lbs", "EUR", "GBP", "USD", "CHF")
"""Those that are no other word, so that they need no digit before them: two km, the length in km."""
MONEY = ("€", "EUR", "£", "GBP", "$", "USD", "CHF")
_ENGLISH_LABELS = """
    maximum = max; minimum = min; approximately = approx; number = no nos; telephone = tel; extension = ext;
    including = incl; excluding = excl; department = dept; company = co; limited = ltd; chapter = ch chap; page = p pp;
    figure = fig; volume = vol; street = st; saint = st; road = rd; avenue = ave; doctor = dr; professor = prof;
    reverend = rev; captain = capt; mount = mt
    """
LABELS: Mapping[str, Mapping[str, str]] = {
    "en": _short_forms(_ENGLISH_LABELS),
    "de": _short_forms(
        """
        maximal Maximum = max; minimal Minimum = min; circa = ca; Nummer = nr; Straße = str; Telefon = tel; Seite = s;
        inklusive = inkl; exklusive = exkl; Sankt = st; Doktor = dr; Professor = prof; Abteilung = abt; Kapitel = kap
        """
    ),
    "fr": _short_forms(
        """
        maximum = max; minimum = min; environ = env; numéro = no; téléphone = tél tel; avenue = av; boulevard = bd boul;
        saint = st; sainte = ste; docteur = dr; professeur = prof; page = p; chapitre = chap
        """
    ),
    "es": _short_forms(
        """
        máximo = máx max; mínimo = mín min; aproximadamente = aprox; número = núm; teléfono = tel; avenida = avda av;
        doctor = dr; doctora = dra; profesor = prof; página = pág; santo = sto; santa = sta
        """
    ),
    "it": _short_forms(
        """
        massimo = max; minimo = min; circa = ca; numero = n num; telefono = tel; viale = vle; dottore = dott;
        professore = prof; pagina = pag; santo = s; capitolo = cap
        """
    ),
    "nl": _short_forms(
        """
        maximaal maximum = max; minimaal minimum = min; ongeveer circa = ca; nummer = nr; telefoon = tel; straat = str;
        sint = st; dokter doctor = dr; professor = prof; bladzijde = blz; inclusief = incl; exclusief = excl
        """
    ),
    "pt": _short_forms(
        """
        máximo = máx max; mínimo = mín min; aproximadamente = aprox; número = núm; telefone = tel; avenida = av;
        doutor = dr; doutora = dra; professor = prof; página = pág; santo = sto; santa = sta
        """
    ),
}
"""By their short forms, as they stand before a full stop or a number."""
TITLES = frozenset(["St", "Dr", "Prof", "Rd", "Ave", "Capt", "Rev", "Mt", "Ste", "Sto", "Sta"])
"""Short forms that many write without a full stop, with a capital."""
CALENDARS: Mapping[str, Mapping[str, str]] = {
    "en": _short_forms(
        """
        January = jan; February = feb; March = mar; April = apr; June = jun; July = jul; August = aug;
        September = sep sept; October = oct; November = nov; December = dec; Monday = mon; Tuesday = tue tues;
        Wednesday = wed weds; Thursday = thu thur thurs; Friday = fri; Saturday = sat; Sunday = sun
        """
    ),
    "de": _short_forms(
        """
        Januar = jan; Februar = feb; März = mär mrz; April = apr; Juni = jun; Juli = jul; August = aug;
        September = sep sept; Oktober = okt; November = nov; Dezember = dez; Montag = mo; Dienstag = di; Mittwoch = mi;
        Donnerstag = do; Freitag = fr; Samstag Sonnabend = sa; Sonntag = so
        """
    ),
    "fr": _short_forms(
        """
        janvier = janv; février = févr fév; avril = avr; juillet = juil; septembre = sept; octobre = oct;
        novembre = nov; décembre = déc; lundi = lun; mardi = mar; mercredi = mer; jeudi = jeu; vendredi = ven;
        samedi = sam; dimanche = dim
        """
    ),
    "es": _short_forms(
        """
        enero = ene; febrero = feb; marzo = mar; abril = abr; junio = jun; julio = jul; agosto = ago;
        septiembre = sep sept; octubre = oct; noviembre = nov; diciembre = dic; lunes = lun; martes = mar;
        miércoles = mié; jueves = jue; viernes = vie; sábado = sáb; domingo = dom
        """
    ),
    "it": _short_forms(
        """
        gennaio = gen; febbraio = feb; marzo = mar; aprile = apr; maggio = mag; giugno = giu; luglio = lug;
        agosto = ago; settembre = sett set; ottobre = ott; novembre = nov; dicembre = dic; lunedì = lun; martedì = mar;
        mercoledì = mer; giovedì = gio; venerdì = ven; sabato = sab; domenica = dom
        """
    ),
    "nl": _short_forms(
        """
        januari = jan; februari = feb; maart = mrt; april = apr; juni = jun; juli = jul; augustus = aug;
        september = sep sept; oktober = okt; november = nov; december = dec; maandag = ma; dinsdag = di; woensdag = wo;
        donderdag = do; vrijdag = vr; zaterdag = za; zondag = zo
        """
    ),
    "pt": _short_forms(
        """
        janeiro = jan; fevereiro = fev; março = mar; abril = abr; maio = mai; junho = jun; julho = jul; agosto = ago;
        setembro = set; outubro = out; novembro = nov; dezembro = dez; segunda = seg; terça = ter; quarta = qua;
        quinta = qui; sexta = sex; sábado = sáb; domingo = dom
        """
    ),
}
"""Months and days of the week by their short forms."""
