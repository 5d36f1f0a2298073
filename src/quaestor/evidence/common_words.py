"""The commonest English words of five letters or more, which are spelt as they should be, whatever they are near to."""

from functools import cache

from quaestor.evidence.stopwords import word_set
from quaestor.evidence.tokenization import terms

_WORDS = word_set(
    """
    ability absence accept access accident account achieve across action active activity actual address admire
    admission admit adult advance advantage adventure advert advice advise affair affect afford afraid after afternoon
    agency agenda agent agree agreement airport alarm album alcohol allow almost alone along already alter amaze
    ambition amount ancient anger angle angry animal announce annual another answer anxious apart apartment apologise
    appear appearance apple application apply appoint appointment approach approve argue argument arise arrange
    arrangement arrest arrival arrive article artist aside asleep aspect assist assistant association assume assure
    atmosphere attach attack attempt attend attention attitude attract attractive audience author authority autumn
    available average avoid award aware awful background badly balance ballot banana barely bargain barrel barrier
    basic basis basket battery battle beach beautiful beauty become bedroom before begin beginning behave behaviour
    behind belief believe belong below bench beneath benefit beside better beyond bicycle birth birthday bishop bitter
    black blame blank blanket blind block blood board bonus border boring borrow bottle bottom brain branch brand brave
    bread break breakfast breath breathe brick bridge brief bright bring broad broadcast broken brother brown brush
    bucket budget build building burden burst business butter button buyer cabin cabinet cable calculate calendar
    camera campaign cancel candidate candle capable capacity capital captain capture career careful cargo carpet
    carriage carry castle casual catch category cattle cause caution ceiling celebrate cellar centre century certain
    certificate chain chair chairman challenge champion chance change channel chapter character charge charity chart
    chase cheap check cheese chemical chest chicken chief child choice choose church circle circumstance citizen civil
    claim class classic clause clean clear clerk clever client climate climb clinic clock close cloth clothes cloud
    coach coast coffee collapse colleague collect collection college colony colour column combine comfort comfortable
    command comment commercial commission commit committee common communicate community company compare comparison
    compete competition complain complaint complete complex computer concern concert conclude conclusion concrete
    condition conduct conference confidence confirm conflict confuse connect connection consent consider consist
    constant construct construction consult consumer contact contain content contest context continue contract contrast
    contribute control convenient conversation convert convince corner correct cottage cotton council count counter
    country county couple courage course court cousin cover crack craft crash cream create creature credit crime
    criminal crisis critical criticise criticism cross crowd crown crucial cruel culture curious currency current
    curtain curve custom customer cycle daily damage dance danger dangerous daughter deadline death debate decade
    decide decision declare decline decrease defeat defence defend define definite degree delay deliberate delicate
    delight deliver delivery demand democracy department departure depend deposit depth deputy derive describe
    description desert deserve design desire despite destroy detail detect determine develop development device devote
    dialogue diamond diary differ difference different difficult difficulty digital dinner direct direction director
    dirty disappear disappoint disaster discipline discount discover discovery discuss discussion disease dismiss
    display distance distant distinct distribute district disturb divide division divorce doctor document dollar
    domestic donate double doubt dozen draft drama drawer drawing dream dress drink drive driver during eager early
    earth easily eastern economic economy edition editor education effect effective efficient effort eight either
    elderly elect election electric electricity element elsewhere email emerge emergency emotion emphasis empire employ
    employee employer employment empty enable encounter encourage enemy energy engage engine engineer enjoy enormous
    enough ensure enter enterprise entire entrance entry environment equal equipment error escape especially essay
    essential establish estate estimate evening event eventually evidence exact examine example excellent except
    exchange excite exciting excuse executive exercise exhibition exist existence expand expect expense expensive
    experience experiment expert explain explanation explore export expose express expression extend extension extent
    external extra extreme fabric facility factor factory faculty failure fairly faith false familiar family famous
    fancy farmer fashion fasten father fault favour favourite feather feature federal fellow female fence festival
    fetch fever field fierce fifteen fifth fifty fight figure final finance financial finger finish first flame flavour
    flesh flight float flood floor flour flower focus follow football force forecast foreign forest forget forgive
    formal former fortune forty forward foundation founder frame freedom freeze frequent fresh friend frighten front
    fruit function fundamental funeral funny furniture further future gallery garage garden gather general generate
    generation gentle gentleman genuine glass global goods govern government grade gradual graduate grain grand grant
    grass grateful grave great green greet ground group growth guarantee guard guess guest guide guilty guitar habit
    hammer handle happen happy harbour harvest headline health healthy heart heaven heavy height hello hence hesitate
    hidden history holiday hollow honest honey honour horrible horse hospital hotel house household housing human
    humour hundred hungry hurry husband ideal identify identity ignore illegal illness illustrate image imagine
    immediate impact implement import importance important impose impossible impress impression improve improvement
    incident include income increase indeed independent index indicate individual industrial industry infant inflation
    influence inform informal information initial initiative injure injury inner innocent inquiry insect inside insist
    inspect inspection instance instant instead institute institution instruct instruction instrument insurance intend
    intention interest interesting internal international interpret interrupt interval interview introduce introduction
    invent invest investigate investment invitation invite involve island issue itself jacket joint journal journey
    judge juice junior justice justify kettle keyboard kitchen knife knock knowledge label labour language large laser
    laugh launch laundry lawyer layer leader league learn least leather leave lecture legal lemon length lesson letter
    level liberal library licence light likely limit listen literature little living local locate location logic lonely
    loose lorry lovely lower loyal lucky luggage lunch machine magazine maintain maintenance major majority maker
    manage management manager manner manual manufacture march margin market marriage married marry master match
    material matter maximum mayor meaning meanwhile measure medal media medical medicine medium meeting member
    membership memory mental mention merchant mercy merge message metal method middle midnight might military million
    mineral minimum minister minor minority minute mirror mission mistake mixed mixture mobile model modern modest
    moment money monitor month moral morning mortgage mother motion motor mountain mouse mouth movement murder muscle
    museum music musical musician mutual mystery naked narrow nation national native natural nature nearby nearly
    necessary needle negative neighbour neither nephew nerve nervous network never newspaper niece night nobody noise
    normal north northern notable nothing notice notion novel nuclear number nurse object objection objective
    obligation observe obtain obvious occasion occupy occur ocean offence offend offer office officer official often
    onion opening operate operation opinion opponent opportunity oppose opposite opposition option orange order
    ordinary organ organise origin original otherwise ought outcome outside overall overcome owner package packet paint
    painter painting palace panel paper parcel pardon parent parliament participate particular partner party passage
    passenger passion passport patch patience patient pattern pause payment peace penalty pencil pension people pepper
    percent perfect perform performance perhaps period permanent permission permit person personal personality persuade
    phase phone photo photograph phrase physical piano picture piece pilot pitch place plain plane planet plant plaster
    plastic plate platform player pleasant please pleasure plenty pocket point poison police policy polite political
    politics popular population position positive possess possession possible poster potato potential pound poverty
    powder power powerful practical practice praise prayer precise prefer pregnant prepare presence present president
    press pressure pretend pretty prevent previous price pride priest primary prince princess principal principle print
    priority prison prisoner private prize probable problem procedure proceed process produce product production
    profession professional professor profile profit program programme progress project promise promote proof proper
    property proportion proposal propose prospect protect protection protest proud prove provide province provision
    public publication publish punish pupil purchase purple purpose purse qualify quality quantity quarter queen
    question queue quick quiet quite quote radio railway raise range rapid rarely rather ratio reach react reaction
    reader ready realise reality really reason reasonable recall receipt receive recent reception recipe reckon
    recognise recommend record recover reduce reduction refer reference reflect reform refuse regard region register
    regret regular regulation reject relate relation relationship relative relax release relevant relief religion
    religious remain remark remarkable remember remind remote remove repair repeat replace reply report represent
    representative reputation request require requirement rescue research reserve residence resident resign resist
    resolution resolve resort resource respect respond response responsible restaurant restore result retail retain
    retire retirement return reveal revenue reverse review revise reward rhythm right rival river rough round route
    routine royal rubber rubbish ruler rural safety sailor salad salary sample satisfy sauce scale scene schedule
    scheme school science scientific scientist score scratch scream screen script search season second secret secretary
    section sector secure security select selection senior sense sensible sensitive sentence separate sequence series
    serious servant serve server service session settle settlement seven several severe shade shadow shake shall
    shallow shame shape share sharp sheep sheet shelf shell shelter shift shine shirt shock shoot shopping shore short
    should shoulder shout shower sight signal signature silence silent silly silver similar simple since singer single
    sister situation skill skirt sleep slice slide slight slope small smart smell smile smoke smooth snake social
    society software soldier solid solution solve someone sorry sound source south southern space spare speak speaker
    special specialist specific speech speed spell spend spirit split spoil spoon sport spread spring square stable
    staff stage stair stake stamp stand standard start state statement station statue status steady steal steam steel
    steep stick still stock stomach stone storage store storm story straight strange stranger strategy stream street
    strength stress stretch strict strike string strip stroke strong structure struggle student studio study stuff
    style subject submit substance succeed success successful sudden suffer sugar suggest suggestion suitable summer
    sunny supper supply support suppose surface surgery surname surprise surround survey survive suspect suspend swear
    sweat sweep sweet swing switch sword symbol sympathy system table tackle talent target taste teach teacher
    technical technique technology telephone television temper temperature temple temporary tenant tennis tension
    terrible territory terror thank theatre theme theory thick thief thing think third thirty though thought thousand
    threat threaten three throat through throw thumb ticket tight timber tired tissue title toast today together toilet
    tomorrow tongue tonight tooth topic total touch tough tourist towel tower track trade tradition traditional traffic
    train trainer training transfer transform transition translate transport travel treasure treasurer treat treatment
    treaty trial tribe trick trouble trousers truck trust truth tunnel twelve twenty twice typical ultimate umbrella
    unable uncle under understand union unique unite universal university unless unlikely until upper upset urban
    urgent useful usual vacant vague valley valuable value variety various vegetable vehicle venture venue version
    vessel victim victory video village violence violent virtue virus visible vision visit visitor visual vital voice
    volume volunteer voter waist waiter wander warning waste watch water weakness wealth weapon weather wedding weekend
    weekly weigh weight welcome welfare western wheat wheel whether while whisper white whole whose widow width willing
    window winner winter witness woman wonder wonderful wooden worker world worry worse worst worth would wound wrist
    write writer wrong yellow yesterday yield young youth
    """
)


def is_common_word(word: str) -> bool:
    """Return whether a word is one of the commonest English ones, or a form of one: scored of score."""
    return not _common_terms().isdisjoint(terms(word)[:1])


@cache
def _common_terms() -> frozenset[str]:
    return frozenset(terms(" ".join(_WORDS)))
