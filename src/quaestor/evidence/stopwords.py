"""Words that carry no subject: function words and question words, in the folded form of terms.

Words that mean something in English are left out of the other languages (die, war, man, son, sin).
"""


def word_set(words: str) -> frozenset[str]:
    """Return the words of a list written as plain text."""
    return frozenset(words.split())


ENGLISH = word_set(
    """
    a about above after again against all also although always am among an and any anybody anyone anything are aren as
    at be became because become becomes been before being below between both but by ca can cannot could did do does
    doing done down during each either else etc ever every everybody everyone everything few for from further get gets
    give given gives got had has have having he her here hers herself him himself his how however i if in into is it its
    itself just least let like made make makes many me might mine more most much must my myself neither never no nobody
    nor not nothing now of off often on once one only or other others otherwise our ours out over own per please quite
    rather really same say says shall she should since so some somebody someone something such tell than that the their
    theirs them themselves then there therefore these they thing things this those though through thus to together too
    toward towards under unless until up upon us use very via was we were what whatever when whenever where whereas
    whereby wherein whether which whichever while who whoever whom whose why will with within without wo would yet you
    your yours
    """
)

SPANISH = word_set(
    """
    a al algo algunas algunos ante antes aquel aquella aquellas aquellos aqui asi aun aunque cada casi como con contra
    cual cuales cuando cuanta cuantas cuanto cuantos cuya cuyo de debe deben debo del desde donde dos durante e el ella
    ellas ellos en entre era eran es esa esas ese eso esos esta estaba estaban estan estar estas este esto estos fue
    fueron ha habia habian han hasta hay la las le les lo los mas mientras mucho muchos muy nada ni ningun ninguna no
    nos nosotros o os otra otras otro otros para pero poco por porque puede pueden puedo pues que quien quienes se sea
    segun ser si sido siendo sobre su sus tal tambien tampoco tan tanto te tiene tienen todas todo todos tras tu tus u
    un una unas uno unos ya y yo
    """
)

GERMAN = word_set(
    """
    aber als am an auch auf aus bei beim bis darf das dass dem den denn der des dessen dies diese diesem diesen dieser
    dieses doch dort durch durfen durfte durften ein eine einem einen einer eines er es fur gegen haben hatte hatten ich
    ihr ihre im in ist ja jede jeder jedes kann kein keine konnen konnte konnten mehr mit muss mussen musste mussten
    nach nicht noch nur ob oder ohne sein seine seiner seit sich sie sind so soll sollen sollte sollten sowie uber um
    und unter vom von vor wann warum was weil welche welchem welchen welcher welches wem wen wenn wer werden wessen wie
    wieviel wird wo wodurch woher wohin womit wofur worin wozu wurde wurden zu zum zur zwischen
    """
)

FRENCH = word_set(
    """
    alors au aux avec car ce cela ces cet cette chez combien comme comment dans de depuis des dont du elle elles doit
    doivent dois en entre est et etait etaient ete etre eux il ils je la laquelle le lequel les leur leurs lors lui mais
    meme moins ne ni non nous ou par pas pendant peu peut peuvent peux plus pourquoi puis qu quand que quel quelle
    quelles quels qui quoi sa sans se selon ses si sont sous sur tous tout toute toutes tres un une vers vous y
    """
)

HINDI = word_set(
    """
    और का की के को में से है हैं था थी थे ने पर यह वह ये वे एक कि जो तो भी हो ही या नहीं इस उस इसे उसे कौन क्या कब कहाँ
    कहां कैसे क्यों किस किसने किसे कितना कितने कितनी लिए साथ तक द्वारा गया गई गए कर
    """
)

TURKISH = word_set(
    """
    acaba ama ancak bazi bir biri birkac bu buna bunda bundan bunu bunun cok cunku daha de da degil dir diye en fakat
    gibi gore hangi hangisi hem hep her hic icin ile ise iste kac kadar karsi ki kim kime kimin mi mu nasil ne neden
    nerede nereden nereye nicin niye o olan olarak oldu oldugu olmak olur ona ondan onlar onu onun ragmen sey siz su
    tarafindan tum uzere var ve veya ya yani yok zaman
    """
)

RUSSIAN = word_set(
    """
    а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее если есть
    еще же за здесь и из или им их к как какая какие каким каких какого какой каком какому какую когда кого кем которая
    которого которое которой котором которому которую которые который которым которыми которых кто куда ли между меня
    мне много может мы на над надо наш не него нее нет ни них но о об однако он она они оно от очень по под после потому
    почему при с сам со сколько так также такой там те тем то того тоже той только том тот у уже чего чем через что
    чтобы чье чья чей эта эти это этого этой этом этот эту я
    """
)

GREEK = word_set(
    """
    αι αλλα αν αντι απο αυτα αυτη αυτο αυτοι αυτος αυτου για δε δεν εαν ειναι εκει εκεινο ενα εναν ενας ενω επισης εχει
    εχουν ηταν θα και κατα κι με μετα μετα μεταξυ μη μια μου να ο οι ομως οπως οπου οταν οτι ουτε ποια ποιαν ποιες ποιο
    ποιοι ποιον ποιος ποιου ποσα ποσες ποσο ποσοι ποτε που πριν προς πως σε σου στα στη στην στις στο στον στους τα την
    της τι τις το τον του τους των υπηρχε υπο ως η
    """
)

ARABIC = word_set(
    """
    في من على إلى الى عن مع هذا هذه ذلك تلك التي الذي الذين ما ماذا متى أين كيف كم لماذا هل هو هي هم كان كانت كانوا يكون
    تكون قد لقد لم لن لا أن إن أو ثم بعد قبل بين عند كل أي أية غير حتى منذ و كما عندما حيث ليس عام
    """
)

KOREAN = word_set("무엇 누구 누가 언제 어디 어떤 어떻 떻게 니까 습니 입니 합니 하는 있는 있습 에서 으로")

LANGUAGES = {
    "ar": ARABIC,
    "de": GERMAN,
    "el": GREEK,
    "es": SPANISH,
    "fr": FRENCH,
    "hi": HINDI,
    "ru": RUSSIAN,
    "tr": TURKISH,
}
STOP_WORDS = ENGLISH.union(*LANGUAGES.values())
"""Whole words, casefolded and without Latin accents."""

FUNCTION_CHARACTERS = frozenset(
    "的了是在和与與及或之於于也都就而且但以为為被把对對从從到这這那哪什么麼谁誰何如怎样樣几幾多少个個们們它他她吗嗎呢吧啊有所其"
    "のはがをにへとでもやかなだたてるすしいれさまよりばらこそあうどつんく"
)
"""Han and Hiragana characters that serve grammar; a pair made solely of these carries no subject."""
