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
    adonde al algo algunas algunos ambos ante antes aquel aquella aquellas aquellos aqui asi aun aunque cada casi
    como con contra cual cuales cualquier cuando cuanta cuantas cuanto cuantos cuya cuyas cuyo cuyos de debe deben
    debia debo del demas desde dichos donde dos durante e el ella ellas ellos en encuentra encuentran entre era eran
    es esa esas ese eso esos esta estaba estaban estamos estan estar estas este esto estos fue fueran fueron ha
    haber habia habian habra habran hacia han hasta hemos hubo la las les llama llaman lo los mas mi mientras
    mis mucho muchos muy nada ni ningun ninguna no nos nosotros nuestra nuestras nuestro nuestros os otra otras otro
    otros para pero poco podria por porque pueda puedan puede pueden puedo pues que quien quienes se sea segun ser
    sera seran seria si sido siendo sino sobre somos su sus tal tambien tampoco tan tanto te tener tenia tenian ti
    tiene tienen todas todo todos tras tu tus u un una unas uno unos usan vuestra vuestro y ya yo
    """
)

GERMAN = word_set(
    """
    ab aber allem allen aller alles als am an ans auch auf aufs aus befand befanden befinden befindet bei beide
    beiden beim bevor bis bist dabei dadurch dafur daher damit danach daran darauf daraus darf darin daruber darum
    das dass davon davor dazu dein deine dem den denen denn der deren des dessen dich dies diese diesem diesen
    dieser dieses doch dort du durch durfen durft durfte durften ein eine einem einen einer eines er es etwas euch
    euer fur gab gabe ganz gegen gegenuber gewesen gibt habe haben hatte hatten heissen heisst hier hinter ich ihm
    ihn ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins ist ja jede jedem jeden jeder jedes jedoch jemand
    jene jenem jenen jener jenes kam kann kannst kein keine konnen konnte konnten lassen liegen liegt mehr mein
    meine meinem meinen meiner mich mit mochte mochten mogen muss mussen musste mussten nach neben nein nicht nichts
    niemand noch nur ob obwohl oder ohne sehr seid sein seine seinem seinen seiner seines seit selbst sich sie sind
    so solche solchem solchen solcher solches soll sollen sollte sollten sonst sowie statt stehen steht trotz uber
    ubers um und uns unser unsere unserem unseren unserer unter vom von vor wahrend wann waren warum was weder wegen
    weil welche welchem welchen welcher welches wem wen wenige wenn wer werden weshalb wessen wie wieder wieso
    wieviel wieviele wir wird wirst wo wodurch wofur woher wohin wollen wollte wollten womit woran worauf woraus
    worin woruber worum wovon wovor wozu wurde wurden zu zum zur zwar zwischen
    """
)

FRENCH = word_set(
    """
    afin aient ait alors appelle appellent apres au aucun aucune auquel aussi autre autres aux auxquelles
    auxquels avaient avait avec avez avoir avons beaucoup ce ceci cela celle celles celui ces cet cette ceux
    chacun chaque chez combien comme comment contre dans de depuis des desquelles desquels devait dois doit doivent
    donc dont du duquel durant elle elles en entre est et etaient etait etant ete etes etre eut eux faut furent hors
    ici il ils je jusqu jusque la laquelle le lequel les leur leurs lors lorsqu lorsque lui mais meme moins mon ne
    ni non nos nous ont ou par parce parmi pas pendant peu peut peuvent peux plupart plus plusieurs pour pourquoi
    pourtant presque puis puisqu puisque qu quand que quel quelle quelles quelqu quelque quelques quels qui
    quiconque quoi rien sa sans sauf se selon serait seront ses si sien sinon soient soit sommes sont sous suis sur
    ta telle telles tels tes toi tous tout toute toutefois toutes tres trop trouvait trouve trouvent un une vers
    voici voila vos votre vous y
    """
)

ITALIAN = word_set(
    """
    agli al alla alle allo altra altre altri altro anche ancora avere aveva avevano bisogna che chi chiama chiamano
    chiunque ciascuna ciascuno cioe coi col con cosi cui da dagli dal dall dalla dalle dallo degli dei del dell
    della delle dello deve devono di dopo dov durante e ed era erano essere fra fu funziona funzionano furono gia
    gli ha hanno ho i il in la le lei lo loro lui ma mentre mi mia mio molta molte molti molto ne negli nei nel
    nell nella nelle nello nessun nessuna nessuno noi non nostra nostro ogni oppure perche pero piu poi possiamo
    possono prima puo qua qual qualche qualcosa qualcuno quale quali quando quanta quante quanti quanto quegli quei
    quel quell quella quelle quelli quello quest questa queste questi questo se senza si sia siamo siano sono sta
    stanno stata stati stato su sua sue sugli sui sul sull sulla sulle sullo suo suoi tra trova trovano tutta tutte
    tutti tutto un una uno usano vengono veniva viene voi vostra vostro
    """
)

PORTUGUESE = word_set(
    """
    a algum alguma algumas alguns ambos ao aos apenas apos aquela aquelas aquele aqueles aqui as ate cada chama
    chamam como cuja cujas cujo cujos da daquela daquele das de dela delas dele deles depois desde dessa dessas
    desse desses desta destas deste destes deve devem do dos durante e ela elas ele eles em encontra encontram
    enquanto entre era eram essa essas esse esses esta estao estas estava estavam este estes eu fica ficam foi foram
    ha havia isso isto ja la lhe lhes mais mas mesmo meu meus minha minhas muita muitas muito muitos na nao nas nem
    nenhum nenhuma nessa nesse nesta neste no nos nossa nosso num numa o onde os ou outra outras outro outros para
    pela pelas pelo pelos pode podem pois por porem porque porques quais qual qualquer quando quanta quantas quanto
    quantos que quem sao se seja sem ser sera serao seu seus sido sob sobre sua suas tal tambem tem tendo teve tinha
    toda todas todo todos tudo um uma umas uns usam voce voces
    """
)

DUTCH = word_set(
    """
    aan alle als andere bevinden bevindt bij daar daardoor daarin daarmee daarom daarop daarvan dat de deze dit een
    eens elk elke en er ergens gebruikt geen had heb hebben heeft heet het heten hier hij hoelang hoeveel iemand
    iets ik in is je jij jou jouw jullie kon konden kun kunnen liggen ligt maar mijn mocht moest moesten moet moeten
    mogen naar naast niemand niet niets nog of om omdat ondanks onder ons onze ook op over sinds staan staat te
    tegen toen tussen uit uw van vanaf vanuit veel volgens voor vooral waar waaraan waarbij waardoor waarin waarmee
    waarnaar waarom waarop waarover waaruit waarvan waarvoor wanneer waren was wat we wel welk welke werd werden
    werkt wie wiens wij worden wordt zal ze zich zij zijn zo zonder zou zouden zullen
    """
)

POLISH = word_set(
    """
    aby albo ale ani az bardzo beda bedzie bez byc byl byla byli bylo byly co czego czemu czy czyj czyja czyje czyli
    czym dla dlaczego dokad dziala dzialaja gdy gdzie ich ile ilu ja jak jaka jaki jakich jakie jakiego jakiej jakim
    jakimi jako jego jej jesli jest jestem jezeli juz kiedy kim kogo komu kto ktora ktore ktorego ktorej ktory
    ktorych ktorym ktorymi ktorzy lub ma maja mial miala mialo mieli mimo moga moze mozna na nad nam nas nasz nasza
    nawet nazywa nazywaja nic nie niz od oni ono oraz po podczas poniewaz przed przez przy sa sie skad sobie swoim
    swoj swoja swoje tak takich takie takze tego tej tez tu tych tylko tym w wedlug wiec wszyscy wszystkie wszystko
    wtedy z za zaden zadna ze zeby znajdowal znajduja znajduje
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
    как какая какие каким каких каков какова каково каковы какого какой каком какому какую кем ко когда кого которая
    которого которое которой котором которому которую которые который которым которыми которых кроме кто куда ли
    либо лишь между меня мне много мной мог могла могли могут мое может можно мои мой моя мы на над надо называется
    называются нами насколько находится находятся наш наша наши не него нее ней нем нет нету нею ни ними них но
    нужно о об обо однако около он она они оно от откуда очень перед по под пока после потому почему при против с
    сам свое своего своей свои своих свой своя себе себя сколькими сколько со среди так также такой там твой те тебе
    тебя тем теми то того тоже той только том тот у уже хотя чего чей чем чему через что чтобы чье чья эта эти этими
    этих это этого этой этом этому этот эту я является являются
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

LANGUAGES = {
    "ar": ARABIC,
    "de": GERMAN,
    "el": GREEK,
    "es": SPANISH,
    "fr": FRENCH,
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
    "it": word_set("a ad ai all c ci come cosa d dai dove fa fare io l li me n o per s sei state usa v vi"),
    "nl": word_set("al dan die door hem hen hoe hun kan mag men met na per t ten ter tot u want"),
    "pl": word_set("a bo by do go i im je mam mi my o on one pod ta tam te ten to u we"),
    "pt": word_set("com d me so usa"),
}
"""Small words of a language that mean something in English, are letters or rare: they alone show no language."""
_ELSEWHERE = word_set(
    """
    car che chi co col comment da dal dell di estes ganz haber kam llama mia outro plus pour quell sera
    sob todo uma van var vos
    """
)
"""Small words that mean something in English, or are names."""
_SHORT = 4
"""Letters of a word that is likely to be a name or another word elsewhere, as Dutch "elk" and Polish "ale"."""
STOP_WORDS = (
    ENGLISH.union(*(own for code, own in LANGUAGES.items() if code not in {"it", "nl", "pl", "pt"}))
    | frozenset(word for code in ("it", "nl", "pl", "pt") for word in LANGUAGES[code] if len(word) > _SHORT)
) - _ELSEWHERE
"""Whole words, casefolded and without Latin accents, which carry no subject in whatever language a text is."""


def function_words_of(language: str | None) -> frozenset[str]:
    """Return the words that carry no subject in a language; the English ones where none is known."""
    return LANGUAGES.get(language or "", ENGLISH) | OTHER_WORDS.get(language or "", frozenset())


FUNCTION_CHARACTERS = frozenset(
    "的了是在和与與及或之於于也都就而且但以为為被把对對从從到这這那哪什么麼谁誰何如怎样樣几幾多少个個们們它他她吗嗎呢吧啊有所其"
    "のはがをにへとでもやかなだたてるすしいれさまよりばらこそあうどつんく"
)
"""Han and Hiragana characters that serve grammar; a pair made solely of these carries no subject."""
