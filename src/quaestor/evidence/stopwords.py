"""Words that carry no subject: function words and question words, in the folded form of terms.

Words that mean something in English (die, war, man, son, sin) are no stop words: these serve texts in any language.
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
    al algo algunas algunos ante antes aquel aquella aquellas aquellos aqui asi aun aunque cada casi como con contra
    cual cuales cuando cuanta cuantas cuanto cuantos cuya cuyo de debe deben debo del desde donde dos durante e el ella
    ellas ellos en entre era eran es esa esas ese eso esos esta estaba estaban estan estar estas este esto estos fue
    fueron ha habia habian han hasta la las les lo los mas mientras mucho muchos muy nada ni ningun ninguna no
    nos nosotros os otra otras otro otros para pero poco por porque puede pueden puedo pues que quien quienes se sea
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
    alors au aux avec ce cela ces cet cette chez combien comme comment dans de depuis des dont du elle elles doit
    doivent dois en entre est et etait etaient ete etre eux il ils je la laquelle le lequel les leur leurs lors lui mais
    meme moins ne ni non nous ou par pas pendant peu peut peuvent peux plus pourquoi puis qu quand que quel quelle
    quelles quels qui quoi sa sans se selon ses si sont sous sur tous tout toute toutes tres un une vers vous y
    """
)

ITALIAN = word_set(
    """
    agli al alla alle allo altra altre altri altro anche ancora avere aveva avevano bisogna che chi chiama chiamano
    chiunque ciascuna ciascuno cioe coi col con cosi cui da dagli dal dall dalla dalle dallo degli dei del dell
    della delle dello deve devono di dopo dov durante e ed era erano essere fatta fatte fatti fatto fino fra fu
    funziona funzionano furono gia gli ha hanno ho i il in la le lei lo loro lui ma mentre mi mia mio molta molte
    molti molto ne negli nei nel nell nella nelle nello nessun nessuna nessuno noi non nostra nostro ogni oppure
    perche pero piu poi possiamo possono prima puo qua qual qualche qualcosa qualcuno quale quali quando quanta
    quante quanti quanto quegli quei quel quell quella quelle quelli quello quest questa queste questi questo se
    senza si sia siamo siano sono sta stanno stata stati stato su sua sue sugli sui sul sull sulla sulle sullo suo
    suoi tra trova trovano tutta tutte tutti tutto un una uno usano vengono veniva viene voi vostra vostro
    """
)

PORTUGUESE = word_set(
    """
    a alguem algum alguma algumas alguns ambos ao aos apenas apos aquela aquelas aquele aqueles aqui as ate cada
    chama chamam como cuja cujas cujo cujos da daquela daquele das de dela delas dele deles depois desde dessa
    dessas desse desses desta destas deste destes deve devem do dos durante e ela elas ele eles em encontra
    encontram enquanto entre era eram essa essas esse esses esta estao estas estava estavam este estes eu feita
    feitas feito feitos fica ficam foi foram ha havia isso isto ja lhe lhes mais mas mesmo meu meus minha minhas
    muita muitas muito muitos na nao nas nem nenhum nenhuma nessa nesse nesta neste ninguem no nos nossa nosso num
    numa o onde os ou outra outras outro outros para pela pelas pelo pelos pode podem pois por porem porque porques
    quais qual qualquer quando quanta quantas quanto quantos que quem sao se seja sem ser sera serao seu seus sido
    sob sobre sua suas tal tambem tem tendo teve tinha toda todas todo todos tudo um uma umas uns usam voce voces
    """
)

DUTCH = word_set(
    """
    aan alle als andere bevinden bevindt bij daar daardoor daarin daarmee daarom daarop daarvan dat de deze dit een
    eens elk elke en er ergens gebruikt geen gemaakt had heb hebben heeft heet het heten hier hij hoelang hoeveel
    iemand iets ik in is je jij jou jouw jullie kon konden kun kunnen liggen ligt maar mijn mocht moest moesten moet
    moeten mogen naar naast niemand niet niets nog of om omdat ondanks onder ons onze ook op over sinds staan staat
    te tegen toen tussen uit uw van vanaf vanuit veel volgens voor vooral waar waaraan waarbij waardoor waarin
    waarmee waarnaar waarom waarop waarover waaruit waarvan waarvoor wanneer waren was wat we wel welk welke werd
    werden werkt wie wiens wij worden wordt zal ze zich zij zijn zo zonder zou zouden zullen
    """
)

POLISH = word_set(
    """
    aby albo ale ani bardzo beda bedzie bez byc byl byla byli bylo byly co czego czemu czy czyj czyja czyje czyli
    czym dla dlaczego dokad dziala dzialaja gdy gdzie ich ile ilu ja jak jaka jaki jakich jakie jakiego jakiej jakim
    jakimi jako jego jej jesli jest jestem jezeli juz kiedy kim kogo komu kto ktora ktore ktorego ktorej ktory
    ktorych ktorym ktorymi ktorzy ktos lub ma maja mial miala mialo mieli mimo moga moze mozna na nad nam nas nasz
    nasza nawet nazywa nazywaja nic nie niz od oni ono oraz po podczas poniewaz przed przez przy sa sie skad sobie
    swoim swoj swoja swoje tak takich takie takze tego tej tez tu tych tylko tym wedlug wiec wszyscy wszystkie
    wszystko wtedy za zaden zadna ze zeby znajdowal znajduja znajduje
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
    а без более будет будут бы был была были было быть в вам вас ваш ваша ваше ваши весь вместо во вот все всего
    всех вы где да даже для до должен должна должно должны его ее если есть еще же за зачем здесь и из или им их к
    как какая какие каким каких каков какова каково каковы какого какой каком какому какую кем ко когда кого кому
    которая которого которое которой котором которому которую которые который которым которыми которых кроме кто
    куда ли либо лишь между меня мне много мной мог могла могли могут мое может можно мои мой моя мы на над надо
    называется называются нами насколько находится находятся наш наша наши не него нее ней нем нет нету нею ни ними
    них но нужно о об обо однако около он она они оно от откуда очень перед по под пока после потому почему при
    против с сам свое своего своей свои своих свой своя себе себя сколькими сколько со среди так также такой там
    твой те тебе тебя тем теми то того тоже той только том тот у уже хотя чего чей чем чему через что чтобы чье чья
    эта эти этими этих это этого этой этом этому этот эту я является являются
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
    أن أنا أنت أو أولئك أي أية أين إلى إن التي الذي الذين الى بعد بعض بل به بها بين تكون تلك تم توجد ثم حتى حيث حين
    خلال ذلك عام على عليه عليها عن عند عندما غير في فيه فيها قبل قد كان كانت كانوا كل كم كما كيف لا لقد لكن لم لماذا
    لمن لن له لها لهم ليس ليست ما ماذا متى مع من منذ منه منها نحن هؤلاء هذا هذه هل هم هناك هو هي و يتم يكون يوجد
    """
)

KOREAN = word_set("무엇 누구 누가 언제 어디 어떤 어떻 떻게 니까 습니 입니 합니 하는 있는 있습 에서 으로")

_MORE = {
    "de": word_set(
        """
        ab allem allen aller alles ans aufs befand befanden befinden befindet beide beiden bevor bist dabei dadurch
        dafur daher damit danach daran darauf daraus darin daruber darum davon davor dazu dein deine denen deren
        dich du durft einmal etwas euch euer gab gabe ganz gegenuber gemacht gewesen gibt habe heissen heisst hier
        hinter ihm ihn ihnen ihrem ihren ihrer ihres indem ins jedem jeden jedoch jemand jene jenem jenen jener
        jenes kam kannst lassen liegen liegt mein meine meinem meinen meiner mich mochte mochten mogen neben nein
        nichts niemand obwohl schon sehr seid seinem seinen seines selbst solche solchem solchen solcher solches
        sonst statt stehen steht trotz ubers uns viel unser unsere unserem unseren unserer wahrend waren weder wegen
        wenige weshalb wieder wieso wieviele wir wirst wollen wollte wollten woran worauf woraus woruber worum wovon
        wovor zwar
        """
    ),
    "es": word_set(
        """
        adonde alguien ambos cualquier cuyas cuyos debia demas dichos encuentra encuentran estamos fueran haber
        habra habran hacia hecha hechas hecho hechos hemos hubo llama llaman mi mis nadie nuestra nuestras nuestro
        nuestros podria pueda puedan sera seran seria sino somos tener tenia tenian ti usan vuestra vuestro
        """
    ),
    "fr": word_set(
        """
        afin aient ait appelle appellent apres aucun aucune auquel aussi autre autres auxquelles auxquels avaient
        avait avez avoir avons beaucoup ceci celle celles celui ceux chacun chaque contre desquelles desquels devait
        donc duquel durant etant etes eu eue eues eus eut fait faite faites faits faut furent hors ici jusqu jusque
        lorsqu lorsque
        mon nos ont parce parmi plupart plusieurs pour pourtant presque puisqu puisque quelqu quelque quelques
        quiconque rien sauf serait seront sien sinon soient soit sommes suis ta telle telles tels tes toi toutefois
        trop trouvait trouve trouvent voici voila vos votre
        """
    ),
}
"""Small words that are or look like names elsewhere ("allen", "gabe"): none of a text whose language is unknown."""

LANGUAGES = {
    "ar": ARABIC,
    "de": GERMAN | _MORE["de"],
    "el": GREEK,
    "es": SPANISH | _MORE["es"],
    "fr": FRENCH | _MORE["fr"],
    "hi": HINDI,
    "it": ITALIAN,
    "nl": DUTCH,
    "pl": POLISH,
    "pt": PORTUGUESE,
    "ru": RUSSIAN,
    "tr": TURKISH,
}
OTHER_WORDS = {
    "de": word_set("bin da die dir hat man mir war will"),
    "es": word_set("a hay he le me n o sin son soy usa"),
    "fr": word_set("a ai avant c car d encore fut j l m ma me mes n notre on or s sera t tel ton vu"),
    "it": word_set(
        "a ad ai all c ci com come cos cosa d dai dove fa fare io l li me n o per quant s sei state usa v vi"
    ),
    "nl": word_set("al dan die door hem hen hoe hun kan mag men met na per t ten ter tot u want"),
    "pl": word_set("a az bo by do go i im je mam mi my o on one pod ta tam te ten to u w we z"),
    "pt": word_set("com d me so usa"),
}
"""Small words of a language that mean something in English, are letters or rare: they alone show no language."""
_SHORT = 4
"""Letters of a Polish word that may be another one elsewhere, as "ale"."""
_ENGLISH_TOO = word_set("car comment hay plus todo var")
STOP_WORDS = (
    ENGLISH.union(ARABIC, FRENCH, GERMAN, GREEK, HINDI, RUSSIAN, SPANISH, TURKISH)
    | frozenset(word for word in POLISH if len(word) > _SHORT)
) - _ENGLISH_TOO
"""Whole words, casefolded and without Latin accents, which carry no subject in whatever language a text is.

Of a language that has stems they need not be all: its texts are known by it.
"""


def function_words_of(language: str | None) -> frozenset[str]:
    """Return the words that carry no subject in a language; the English ones where none is known."""
    return LANGUAGES.get(language or "", ENGLISH) | OTHER_WORDS.get(language or "", frozenset())


FUNCTION_CHARACTERS = frozenset(
    "的了是在和与與及或之於于也都就而且但以为為被把对對从從到这這那哪什么麼谁誰何如怎样樣几幾多少个個们們它他她吗嗎呢吧啊有所其"
    "のはがをにへとでもやかなだたてるすしいれさまよりばらこそあうどつんく"
)
"""Han and Hiragana characters that serve grammar; a pair made solely of these carries no subject."""
