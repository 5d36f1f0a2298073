import pytest

from quaestor.research.offline.fields.collections import Collection, StoredText, document_collections, table_collections
from quaestor.research.offline.fields.enumeration import enumerate_things

PORTS = "port,country,depth (m),opened\nSaltmere,Orlia,9,1820\nQuell,Orlia,14,1871\nTannis,Vesk,7,1871 (east)\n"
SAILINGS = "sailing,from,to\nS1,Tannis,Quell\nS2,Quell,Tannis\n"
RULES = (
    ("rule-0001.txt", "Rule: 1\nTitle: Lamp Oil\nAuthor: Ida Blom, Bo Ek\nStatus: Rejected\nCreated: 03-May-1901\n"),
    ("rule-0002.txt", "Rule: 2\nTitle: Lids\nAuthor: Bo Ek\nStatus: Final\nTopic: Oil\nCreated: 01-May-1902\n"),
    ("rule-0003.txt", "Rule: 3\nTitle: Corks\nAuthor: Ida Blom\nStatus: Rejected\nCreated: 02-May-1902\n"),
)


def stored(name: str, text: str) -> StoredText:
    return StoredText(source=name, title=name, uri=f"/d/{name}", text=text)


def tables(*named: tuple[str, str]) -> list[Collection]:
    return [table for name, text in named for table in table_collections(stored(name, text))]


def rules(*more: tuple[str, str]) -> tuple[Collection, ...]:
    return document_collections(stored(*each) for each in (*RULES, *more))


def test_values_of_a_column_are_listed_once() -> None:
    found = enumerate_things("List all countries.", tables(("ports.csv", PORTS)))

    assert found
    assert [thing.name for thing, _ in found.members] == ["Orlia", "Vesk"]
    assert enumerate_things("How many depths are there?", tables(("ports.csv", PORTS))) is None


def test_numbers_of_a_column_are_listed_with_what_each_is_of() -> None:
    text = "year,port,ships\n1901,Quell,40\n1902,Quell,40\n1901,Tannis,7\n"
    found = enumerate_things("What are the ships of Quell?", tables(("calls.csv", text)))

    assert found
    assert [thing.name for thing, _ in found.members] == ["40 (1901)", "40 (1902)"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which ports are in Orlia?", ["Saltmere", "Quell"]),
        ("List all ports.", ["Saltmere", "Quell", "Tannis"]),
        ("How many ports of the country Vesk are there?", ["Tannis"]),
        ("How many have the country Orlia?", ["Saltmere", "Quell"]),
    ],
)
def test_rows_are_chosen_by_what_their_cells_hold(question: str, names: list[str]) -> None:
    found = enumerate_things(question, tables(("ports.csv", PORTS)))

    assert found
    assert ([thing.name for thing, _ in found.members], found.refusal) == (names, "")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which rules have status Rejected?", ["Rule 1: Lamp Oil", "Rule 3: Corks"]),
        ("How many rejected rules are there?", ["Rule 1: Lamp Oil", "Rule 3: Corks"]),
        ("Which rules were written by Ida Blom?", ["Rule 1: Lamp Oil", "Rule 3: Corks"]),
        ("How many rules were created in 1902?", ["Rule 2: Lids", "Rule 3: Corks"]),
        ("Which rules by Ida Blom were created in 1902?", ["Rule 3: Corks"]),
        ("Which rules have the topic oil?", ["Rule 2: Lids"]),
    ],
)
def test_documents_are_chosen_by_the_fields_of_their_headers(question: str, names: list[str]) -> None:
    found = enumerate_things(question, rules())

    assert found
    assert ([thing.name for thing, _ in found.members], found.refusal) == (names, "")


def test_a_field_that_some_documents_call_as_one_and_some_as_several_is_one() -> None:
    asked = "Which rules were written by Ida Blom?"
    found = enumerate_things(asked, rules(("rule-0004.txt", "Rule: 4\nTitle: Wax\nAuthors: Ida Blom, Bo Ek\n")))

    assert found
    assert [thing.name for thing, _ in found.members] == ["Rule 1: Lamp Oil", "Rule 3: Corks", "Rule 4: Wax"]
    assert [cell.key for _, cell in found.members] == ["Author", "Author", "Authors"]
    assert (found.refusal, "“Author”" in found.label) == ("", True)


def test_what_a_document_tells_anew_is_told_of_the_name_that_most_have_for_the_field() -> None:
    told = ("rule-0004.txt", "Rule: 4\nTitle: Wax\nAuthors: Ida Blom\n\nUpdate, 4 May: it is by Bo Ek now.\n")
    found = enumerate_things("Which rules were written by Ida Blom?", rules(told))

    assert found
    assert "Rule 4: Wax" in found.refusal


def test_what_somebody_wrote_is_not_listed_where_a_document_states_no_author() -> None:
    other = ("rule-0004.txt", "Rule: 4\nTitle: Wax\nChampion: Ida Blom\n")
    found = enumerate_things("Which rules were written by Ida Blom?", rules(other))
    topics = enumerate_things("Which rules have the topic oil?", rules(other))

    assert found
    assert "“Author”" in found.refusal
    assert topics
    assert topics.refusal == ""


@pytest.mark.parametrize(
    "question",
    [
        "Which rules speak of lamps?",  # no field accounts for lamps
        "How many rules does rule 2 replace?",  # it asks about one document
        "Which rules were rejected in 1901?",  # no field says when they were
        "Which rules are on lid?",
        "Who wrote rule 1?",
        "Which ports are there?",
    ],
)
def test_what_no_field_accounts_for_is_not_answered(question: str) -> None:
    assert enumerate_things(question, rules()) is None


def test_a_list_by_a_field_that_some_do_not_state_is_declined_with_what_is_known() -> None:
    found = enumerate_things("How many rules are about oil?", rules())

    assert found
    assert found.members == ()
    assert found.refusal == (
        "1 of 3 have it as their “Topic”, but 2 state no “Topic” (the headers of 3 Rule documents)"
    )


def test_a_document_that_belongs_to_a_series_by_its_name_and_states_nothing_makes_a_list_incomplete() -> None:
    found = enumerate_things("How many rules are there?", rules(("rule-0004.txt", "Lost.\n")))

    assert found
    assert found.refusal == "1 of these documents state no fields, as /d/rule-0004.txt"


@pytest.mark.parametrize("question", ["Which ports are not in Orlia?", "Which ports are in Orlia or Vesk?"])
def test_words_that_negate_or_choose_end_it(question: str) -> None:
    found = enumerate_things(question, tables(("ports.csv", PORTS)))

    assert found is None or (found.members, found.refusal) == ((), "it holds words that compare, choose or negate")


def test_a_value_that_others_hold_among_more_words_is_ambiguous() -> None:
    found = enumerate_things("Which ports were opened in 1871?", tables(("ports.csv", PORTS)))

    assert found
    assert found.refusal == "values of “opened” hold it among other words (the table ports.csv)"


def test_two_tables_that_answer_are_named_and_neither_is_chosen() -> None:
    found = enumerate_things("How many ports are in Vesk?", tables(("ports.csv", PORTS), ("old.csv", PORTS)))

    assert found
    assert found.refusal.startswith(
        "2 places answer it, each for itself: rows counted: by “country” in the table ports.csv; rows counted: by"
    )


NOTES = """# Notes on trials

| Method | Handles |
|--------|---------|
| cut    | ropes   |
| weigh  | barrels |
"""


@pytest.mark.parametrize(
    ("question", "names", "refusal"),
    [
        ("List all rope methods.", [], "only “Handles” of the table “Notes on trials” in n.md holds it, and"),
        ("List all methods that handle ropes.", ["cut"], ""),
        ("Which methods of the trials are for ropes?", ["cut"], ""),
        ("Which trials are for ropes?", ["cut"], ""),
    ],
)
def test_a_table_in_a_text_is_chosen_by_more_than_a_value(question: str, names: list[str], refusal: str) -> None:
    found = enumerate_things(question, tables(("n.md", NOTES)))

    assert found
    assert [thing.name for thing, _ in found.members] == names
    assert found.refusal.startswith(refusal)
    assert bool(found.refusal) == bool(refusal)


def test_a_column_without_a_name_in_words_is_not_asked_for() -> None:
    drawn = "| -- | Lid |\n|----|-----|\n| a  | cork |\n"

    assert enumerate_things("How many rules are there?", tables(("rule-7.md", drawn))) is None


def test_a_value_that_several_fields_hold_chooses_nothing() -> None:
    assert (
        enumerate_things("Which sailings are there from Tannis to Quell?", tables(("sailings.csv", SAILINGS))) is None
    )


def test_the_records_of_a_file_of_data_are_rows_and_no_documents() -> None:
    records = stored("voyages.jsonl", "# Record 1\n\nvoyage: 1\ncargo: oil\n\n# Record 2\n\nvoyage: 2\ncargo: oil\n")
    found = enumerate_things(
        "How many voyages have the cargo oil?", [*document_collections([records]), *table_collections(records)]
    )

    assert found
    assert (len(found.members), found.label) == (2, "rows counted: by “cargo” in the table voyages.jsonl")


def test_the_column_of_a_row_that_is_named_is_no_list() -> None:
    text = (
        "# Reference\n\n## Worker\n\n| Setting | Default |\n|---|---|\n| `worker.count` | 4 |\n| `worker.nice` | 0 |\n"
    )

    assert enumerate_things("What is the default of worker.count?", tables(("reference.md", text))) is None
    assert enumerate_things("List the defaults of the worker.", tables(("reference.md", text)))


LAMPS = "lamp,state,lit\nGull,in service,1871\nTern,out of service,1871\nSkua,in service,1902\n"


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which lamps are in service?", ["Gull", "Skua"]),
        ("Which lamps are out of service?", ["Tern"]),
        ("How many lamps have the state in service?", ["Gull", "Skua"]),
        ("Which lamps in service were lit 1902?", ["Skua"]),
    ],
)
def test_a_value_with_small_words_is_chosen_where_it_stands_so_in_the_question(question: str, names: list[str]) -> None:
    found = enumerate_things(question, tables(("lamps.csv", LAMPS)))

    assert found
    assert ([thing.name for thing, _ in found.members], found.refusal) == (names, "")


@pytest.mark.parametrize(
    "question", ["Which lamps have the service state?", "Which lamps service ships?", "Which lamps service?"]
)
def test_the_telling_words_of_a_value_choose_nothing_without_its_small_words(question: str) -> None:
    assert enumerate_things(question, tables(("lamps.csv", LAMPS))) is None


def test_a_number_chooses_nothing_where_its_field_is_not_named() -> None:
    assert enumerate_things("Which lamps were in service in 1902?", tables(("lamps.csv", LAMPS))) is None


def test_a_value_of_small_words_alone_ends_it() -> None:
    named = ("lamps.csv", LAMPS.replace("service", "use"))

    assert enumerate_things("Which lamps are in use?", tables(named)) is None
    assert enumerate_things("List all lamps.", tables(named))


def test_a_value_with_small_words_chooses_no_whole_list_where_a_row_has_none() -> None:
    found = enumerate_things("Which lamps are in service?", tables(("lamps.csv", f"{LAMPS}Rook,,1902\n")))

    assert found
    assert (found.members, found.refusal[:24]) == ((), "2 of 4 have it as their ")


CATCH = """boat,coast,kilos
Ek,east,40
Dell,east,90
Subtotal east,east,130
Quell,west,65
Total,,195
"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many boats are there?", ["Ek", "Dell", "Quell"]),
        ("Which boats are of the east coast?", ["Ek", "Dell"]),
    ],
)
def test_totals_are_neither_counted_nor_listed(question: str, names: list[str]) -> None:
    found = enumerate_things(question, tables(("catch.csv", CATCH)))

    assert found
    assert ([thing.name for thing, _ in found.members], found.refusal) == (names, "")


def test_a_word_of_the_name_of_a_total_chooses_by_the_column_that_holds_it() -> None:
    papers = "article,colour,stock\nCards,white,40\nCovers,white,90\nSubtotal white,white,130\nBags,brown,65\n"
    found = enumerate_things("How many articles are white?", tables(("papers.csv", papers)))

    assert found
    assert [thing.name for thing, _ in found.members] == ["Cards", "Covers"]


def test_a_row_that_may_be_a_total_ends_a_list_that_it_would_be_in() -> None:
    doubtful = tables(("catch.csv", CATCH.replace("195", "about 200")))
    counted = enumerate_things("How many boats are there?", doubtful)
    chosen = enumerate_things("How many boats are of the west coast?", doubtful)

    assert counted
    assert (counted.members, counted.refusal) == (
        (),
        "“Total” may be the total of other rows (the table catch.csv)",
    )
    assert chosen
    assert len(chosen.members) == 1


BUOYS = """buoy,done,Anstrich,checked,pages,bell
Ek,yes,ja,no,1,no
Dell,no,nein,1902-05-03,3,no
Quell,yes,noch nicht,not yet,4,no
"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many buoys are done?", ["Ek", "Quell"]),
        ("Which buoys have an Anstrich?", ["Ek"]),
        ("Which buoys were checked?", ["Dell"]),
        ("How many buoys have pages?", ["Ek", "Dell", "Quell"]),
    ],
)
def test_a_field_that_is_asked_for_without_a_value_chooses_what_does_not_say_no(
    question: str, names: list[str]
) -> None:
    found = enumerate_things(question, tables(("buoys.csv", BUOYS)))

    assert found
    assert ([thing.name for thing, _ in found.members], found.refusal) == (names, "")


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("How many buoys are done?", "done"),
        ("Which buoys were checked?", "checked"),
        ("Which buoys have a bell?", "bell"),
    ],
)
def test_a_value_that_says_neither_yes_nor_no_ends_a_list_of_what_is_so(question: str, field: str) -> None:
    found = enumerate_things(question, tables(("buoys.csv", f"{BUOYS}Tern,half,ja,partly,2,cracked\n")))

    assert found
    assert found.refusal == f"some values of “{field}” say neither yes nor no (the table buoys.csv)"


def test_a_field_whose_name_is_a_small_word_holds_values_that_are_asked_for() -> None:
    found = enumerate_things("Which sailings are to Quell?", tables(("sailings.csv", SAILINGS)))

    assert found
    assert [thing.name for thing, _ in found.members] == ["S1"]
    assert enumerate_things("Which sailings are to Saltmere?", tables(("sailings.csv", SAILINGS))) is None
    unsaid = enumerate_things("How many sailings are there to and from?", tables(("sailings.csv", SAILINGS)))
    assert unsaid
    assert unsaid.members == ()


CRATES = "hold,crate,state,landed\nA,oil,wet,1902-05-03\nA,rope,dry,1902-05-03\nB,oil,dry,\nC,salt,dry,1902-05-04\n"


def test_of_what_is_asked_by_a_verb_no_values_are_counted() -> None:
    crates = tables(("ships.csv", CRATES))
    landed = enumerate_things("How many crates were landed?", crates)

    assert landed
    assert [thing.name for thing, _ in landed.members] == ["oil", "rope", "salt"]
    assert enumerate_things("How many were landed?", crates) is None
    dry = enumerate_things("How many dry crates are there?", crates)
    assert dry
    assert [thing.name for thing, _ in dry.members] == ["rope", "oil", "salt"]


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("ships.csv", "How many holds have crates?"),
        ("crates.csv", "How many crates are there?"),
    ],
)
def test_rows_of_one_name_are_not_counted_as_so_many_things(name: str, question: str) -> None:
    found = enumerate_things(question, tables((name, CRATES)))
    listed = enumerate_things("Which holds have crates?", tables((name, CRATES)))

    assert found
    assert (found.members, found.refusal) == (
        (),
        f"4 rows hold 3 different values of “hold” (the table {name})",
    )
    assert listed
    assert listed.refusal == ""


def test_rows_that_begin_with_a_day_are_counted_by_the_word_above_them() -> None:
    trips = "day,port\n1902-05-03,Ek\n1902-05-03,Dell\n1902-05-04,Ek\n"
    counted = enumerate_things("How many trips are there?", tables(("trips.csv", trips)))
    days = enumerate_things("How many days are there?", tables(("trips.csv", trips)))

    assert counted
    assert len(counted.members) == 3
    assert days
    assert days.refusal == "3 rows hold 2 different values of “day” (the table trips.csv)"


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("Which buoys cannot be lit?", "lit"),
        ("Welche buoys sind noch nicht angestrichen?", "angestrichen"),
        ("Quelles buoys sont sans lampe ?", "lampe"),
        ("¿Qué buoys tienen más cuerda?", "cuerda"),
        ("Сколько buoys без троса?", "троса"),
    ],
)
def test_small_words_that_negate_or_compare_end_it_in_every_language_that_asks_for_things(
    question: str, column: str
) -> None:
    found = enumerate_things(question, tables(("buoys.csv", f"buoy,{column}\nEk,x\nDell,\n")))

    assert found is None or found.members == ()


def test_a_year_after_which_something_was_is_not_its_year() -> None:
    laid = tables(("buoys.csv", "Boje,verlegt\nEk,1902-05-03\nDell,1903-05-03\n"))
    found = enumerate_things("Welche Boje wurde nach 1902 verlegt?", laid)

    assert found
    assert found.refusal == "it holds words that compare, choose or negate"


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which boats are of the kind e-boat?", ["Ada"]),
        ("How many boats of the kind t-boat are there?", ["Cleo"]),
        ("Which boats are of the kind rowing boat?", ["Puck"]),
        ("How many boats are there?", ["Ada", "Bea", "Cleo", "Puck"]),
        ("Which boats are of the kind x-boat?", []),
        ("Which kinds are there?", ["e-boat", "motor-boat", "t-boat", "rowing boat"]),
    ],
)
def test_a_whole_value_is_read_before_the_word_for_the_kind_in_it(question: str, names: list[str]) -> None:
    boats = "Boat,Kind,Seats\nAda,e-boat,4\nBea,motor-boat,6\nCleo,t-boat,2\nPuck,rowing boat,3\n"
    found = enumerate_things(question, tables(("boats.csv", boats)))

    assert [thing.name for thing, _ in (found.members if found else ())] == names


def test_values_that_differ_in_case_alone_are_one() -> None:
    jeans = "name,brand\nSlim,Seven for All\nFit,Seven for all\nCut,Arizona\n"
    found = enumerate_things("How many brands are there?", tables(("jeans.csv", jeans)))

    assert found
    assert [thing.name for thing, _ in found.members] == ["Seven for All", "Arizona"]


def test_rows_that_only_days_name_are_neither_listed_nor_counted_by_values_that_repeat() -> None:
    money = "Date,Item,Paid by\n2023-09-08,Fees,bank\n2023-09-29,Cups,cash\n2023-11-03,{},cash\n"
    repeated = enumerate_things("How many items were paid by cash?", tables(("m.csv", money.format("Cups"))))
    different = enumerate_things("How many items were paid by cash?", tables(("m.csv", money.format("Tea"))))

    assert repeated
    assert repeated.refusal.startswith("2 rows hold 1 different values of “Item”")
    assert different
    assert len(different.members) == 2
    assert enumerate_things("What was paid by cash?", tables(("m.csv", money.format("Tea")))) is None


def test_a_document_that_tells_a_new_state_below_its_header_ends_a_list_by_a_field_of_it() -> None:
    updated = (
        "rule-0004.txt",
        "Rule: 4\nTitle: Wicks\nStatus: Final\nCreated: 01-May-1902\n\nUpdate 1903: rejected.\n",
    )

    by_status = enumerate_things("How many rules have the status Final?", rules(updated))
    by_day = enumerate_things("Which rules were created in 1902?", rules(updated))
    assert by_status
    assert by_status.refusal.startswith("“Rule 4: Wicks” may say otherwise of “Status”")
    assert by_day
    assert [thing.name for thing, _ in by_day.members] == ["Rule 2: Lids", "Rule 3: Corks", "Rule 4: Wicks"]


def test_a_document_that_says_that_it_is_settled_ends_a_list_by_another_state_alone() -> None:
    closed = ("rule-0004.txt", "Rule: 4\nTitle: Wicks\nStatus: Closed\nKind: plain\n\nDone by the contractor.\n")
    opened = ("rule-0005.txt", "Rule: 5\nTitle: Oil\nStatus: Open\nKind: plain\n\nResolved on 5 April.\n")

    agreeing = enumerate_things("How many rules have the status Final?", rules(closed))
    settled = enumerate_things("How many rules have the status Open?", rules(closed, opened))
    weighed = enumerate_things("Which rules have the kind plain?", rules(closed, opened))
    assert agreeing
    assert not agreeing.refusal
    assert settled
    assert settled.refusal.startswith("“Rule 5: Oil” may say otherwise of “Status”")
    assert weighed
    assert [thing.name for thing, _ in weighed.members] == ["Rule 4: Wicks", "Rule 5: Oil"]


@pytest.mark.parametrize("sign", ["do.", "dto.", "ditto", "Idem", "\u3003", "\u201e", "''"])
def test_a_column_with_a_sign_for_what_is_above_is_not_read(sign: str) -> None:
    found = tables(("ports.csv", f"port,country,depth\nSaltmere,Orlia,9\nQuell,{sign},14\nTannis,Vesk,9\n"))
    deep = enumerate_things("Which ports have the depth 9?", found)

    assert enumerate_things("Which ports have the country Orlia?", found) is None
    assert deep
    assert [thing.name for thing, _ in deep.members] == ["Saltmere", "Tannis"]
    assert not tables(("ports.csv", f"country,port\nOrlia,Saltmere\n{sign},Quell\n"))


@pytest.mark.parametrize("value", ["returned", "lost in 2024", "free", "reserved", "nobody", "waiting", "on trial"])
def test_a_column_that_is_asked_for_is_not_counted_where_a_value_may_say_that_nobody_is_in_it(value: str) -> None:
    text = f"plot,leased to\n1,Ali Demir\n2,{value}\n3,\n4,de Vries\n"
    found = enumerate_things("How many plots are leased?", tables(("plots.csv", text)))

    assert found
    assert found.refusal


@pytest.mark.parametrize(
    ("question", "text", "number"),
    [
        ("How many plots are leased?", "plot,leased to\n1,Ali Demir\n2,van der Berg\n3,\n", 2),
        ("How many vines are treated?", "vine,treated with\n1,copper\n2,Bordeaux mixture\n3,\n", 2),
        ("How many boats are sold?", "boat,sold\nHeron,sold in 2019\nTern,\nCoot,2020-05-03\n", 2),
    ],
)
def test_a_column_that_names_what_it_is_for_is_counted(question: str, text: str, number: int) -> None:
    found = enumerate_things(question, tables(("plots.csv", text)))

    assert found
    assert not found.refusal
    assert len(found.members) == number


def test_a_row_that_is_named_behind_its_kind_is_no_list_of_that_kind() -> None:
    text = "# Timetable of 4 May\n\n| Lesson | Monday |\n|---|---|\n| 1 | Maths |\n| 4 | Art |\n"

    assert enumerate_things("What is lesson 4 on Monday?", tables(("timetable.md", text))) is None
    assert enumerate_things("Which lessons are on Monday?", tables(("timetable.md", text))) is not None


@pytest.mark.parametrize(
    ("text", "question", "number"),
    [
        ("hotel,beds\nGull,40\nSkua,62\nTern,18\n", "How many beds do the hotels have?", None),
        ("device,amount\nlamp,4\nsaw,2\n", "How many devices are there?", None),
        ("device,amount\nlamp,1\nsaw,1\n", "How many devices are there?", 2),
        ("device,number\nlamp,7\nsaw,8\n", "How many devices are there?", 2),
        ("device,weight\nlamp,4\nsaw,2\n", "How many devices are there?", 2),
    ],
)
def test_rows_that_stand_for_several_things_are_not_counted(text: str, question: str, number: int | None) -> None:
    found = enumerate_things(question, tables(("things.csv", text)))
    assert found
    assert bool(found.refusal) is (number is None)
    assert number is None or len(found.members) == number


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("List all towns of the clubs", ("Olten", "Aarau")),
        ("In which towns are the clubs?", ("Olten", "Aarau")),
        ("List the courts of the clubs", ("6 (Green)", "4 (Aare)", "3 (Blue)")),
        ("List all clubs", ("Green", "Aare", "Blue")),
        ("Which clubs have the town Olten?", ("Green", "Blue")),
    ],
)
def test_what_is_named_first_is_what_is_listed(asked: str, given: tuple[str, ...]) -> None:
    text = "club,town,courts\nGreen,Olten,6\nAare,Aarau,4\nBlue,Olten,3\n"
    found = enumerate_things(asked, tables(("clubs.csv", text)))

    assert found
    assert tuple(thing.name for thing, _ in found.members) == given
