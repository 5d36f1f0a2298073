import pytest

from quaestor.research.offline.fields.collections import Collection, StoredText, table_collections
from quaestor.research.offline.fields.row_changes import find_changed
from quaestor.research.offline.fields.row_watch import watch_rows

BOATS = "Boat,Kind,Seats,Skipper\nHeron,sloop,8,Ann Pole\nTern,yawl,4,Ben Carr\nCoot,sloop,6,Ann Pole\n"
STAFF = "Name,Role,Room,Ext\nAnn Pole,Director,12,100\nBen Carr,Driver,14,114\nCora Long,Clerk,15,118\n"
PRICES = "Ticket,Price,Deposit\nDay,12,5\nSeason pass,65,20\n"


def table(text: str, title: str = "things.csv") -> Collection:
    [found] = table_collections(StoredText(source="t", title=title, uri="/d/things.csv", text=text))
    return found


def changed(told: str, text: str, row: str = "", *keys: str) -> str:
    held = table(text)
    change = find_changed(told, watch_rows(held, [one for one in held.things if row in ("", one.name)], keys))
    return change.name if change else ""


@pytest.mark.parametrize(
    "told",
    [
        "Much is new. Ben Carr left us for Glasgow at Christmas.",
        "So ben carr has died.",
        "Carr has handed in his notice and goes to Hull.",
        "Ben retires at the end of the month.",
        "- Ben Carr: resigned",
        "We no longer have Ben Carr.",
        "Ben Carr withdrew on Monday.",
        "Ben Carr stepped down, and Cora Long sings.",
        "Ben Carr zog sich im Mai zurück.",
        "Ben Carr gab im Mai auf.",
        "We lost our old Ben Carr.",
    ],
)
def test_a_loss_that_is_told_of_a_row_is_found(told: str) -> None:
    assert changed(told, STAFF) == "Ben Carr"


@pytest.mark.parametrize(
    "told",
    [
        "Ben Carr sings. A jar was sold.",
        "A jar was sold by Ben Carr.",
        "Ben Carr sings in the choir on each day of the week, and a jar was sold.",
        "| Ben Carr | sold |",
        "Ben is now in room 15.",
        "A director has left us.",
        "A jar was sold to our old Ben Carr.",
    ],
)
def test_what_is_no_loss_changes_no_number_of_rows(told: str) -> None:
    assert changed(told, STAFF) == ""


def test_a_loss_is_told_of_the_one_row_that_is_of_a_kind() -> None:
    assert changed("20 June. The yawl sank at her mooring.", BOATS) == "Tern"
    assert changed("The director has left us.", STAFF) == "Ann Pole"
    assert changed("The sloop sank at her mooring.", BOATS) == ""
    assert changed("A yawl sank at her mooring.", BOATS) == ""


def test_a_code_is_a_name_of_which_a_loss_is_told() -> None:
    vans = "Van,Plate\nV1,KA 11\nV2,KA 12\n"

    assert changed("V2 was stolen in June.", vans) == "V2"
    assert changed("- V1: sold to Berger on 3 May", vans) == "V1"
    assert changed("V3 was stolen in June.", vans) == ""


@pytest.mark.parametrize(
    ("told", "row", "key"),
    [
        ("Cora moves to room 16 next week.", "Cora Long", "Room"),
        ("The director's new extension, ext 190, is in service.", "Ann Pole", "Ext"),
        ("From 1 May Ben Carr is our clerk.", "Ben Carr", "Role"),
        ("From 1 May Ben Carr sits at the door.", "Ben Carr", "Role"),
        ("Ben Carr: clerk", "Ben Carr", "Role"),
        ("Ann Pole has the ext 190.", "Ann Pole", "Ext"),
    ],
)
def test_a_sentence_that_gives_a_row_another_value_contradicts_its_cell(told: str, row: str, key: str) -> None:
    assert changed(told, STAFF.replace("Clerk", "clerk"), row, key) == row


@pytest.mark.parametrize(
    ("told", "row", "key"),
    [
        ("Cora moves to room 16 next week.", "Cora Long", "Ext"),
        ("Cora moves to room 16 next week.", "Ben Carr", "Room"),
        ("Ann Pole has the ext 100.", "Ann Pole", "Ext"),
        ("The talks were long, and now Ben is tired.", "Cora Long", "Role"),
    ],
)
def test_what_is_told_of_other_columns_or_rows_contradicts_no_cell(told: str, row: str, key: str) -> None:
    assert changed(told, STAFF, row, key) == ""


@pytest.mark.parametrize(
    "told",
    [
        "The Heron carried 9 of us over.",
        "The Heron carried 300 of us over last summer.",
        "The Heron is short of chairs.",
    ],
)
def test_whatever_another_document_says_of_one_row_without_its_value_contradicts_its_cell(told: str) -> None:
    assert changed(told, BOATS, "Heron", "Seats") == "Heron"
    assert changed(told.replace("Heron", "Coot"), BOATS, "Heron", "Seats") == ""
    assert changed("The Heron has 8 seats.", BOATS, "Heron", "Seats") == ""
    assert changed("- Heron", BOATS, "Heron", "Seats") == ""
    assert changed("Ann Heron Smith has a dog, and Heron Smith a cat.", BOATS, "Heron", "Seats") == ""


def test_of_several_rows_a_sentence_must_tell_a_number_a_change_or_an_event() -> None:
    assert changed("The Heron carries 9.", BOATS, "", "Seats") == "Heron"
    assert changed("Ann mended the Heron.", BOATS, "", "Seats") == "Heron"
    assert changed("The Heron is a fine boat.", BOATS, "", "Seats") == ""


def test_the_document_of_a_table_contradicts_a_row_only_by_a_change() -> None:
    held = table(BOATS)
    watch = watch_rows(held, held.things[:1], ["Seats"])

    assert find_changed("The Heron carried 9 of us over.", watch, is_own=True) is None
    assert find_changed("The Heron has 9 seats now.", watch, is_own=True) is not None


@pytest.mark.parametrize(
    ("told", "row", "key"),
    [
        ("Ben's people please note: we now meet on Wednesdays.", "Tern", "Seats"),
        ("Ben asked for a bigger boat: 6 can come.", "Tern", "Seats"),
        ("Two more bunks were put into Ben's boat.", "Tern", "Seats"),
        (
            "[14:02] Ann: can the Heron lie further out?\n[14:10] Ben: my dog has lost its new red and yellow ball",
            "Heron",
            "Seats",
        ),
    ],
)
def test_a_person_of_one_row_or_a_line_of_a_chat_calls_it(told: str, row: str, key: str) -> None:
    assert changed(told, BOATS, row, key) == row


def test_a_line_of_a_chat_is_not_read_with_the_next_one() -> None:
    told = "[14:02] Ann: can you bring the larger one of the two new ropes here?\n[14:10] Cy: the Coot has 6 seats"

    assert changed(told, BOATS, "Coot", "Seats") == ""


def test_a_column_called_by_a_small_word_is_not_what_a_sentence_is_about() -> None:
    posts = "Post,Name,Until\nCashier,Ben Carr,2026\nChair,Ann Pole,2027\n"

    assert (
        changed("Ben has gone to live in Hull; until May Cora looks after the money.", posts, "Ben Carr", "Post")
        == "Ben Carr"
    )


def test_the_beginning_of_a_name_before_one_calls_a_row() -> None:
    loaves = "Loaf,Weight\nSpelt loaf,750\nRye loaf,1000\n"

    assert changed("The spelt one weighs only 700 g.", loaves, "Spelt loaf", "Weight") == "Spelt loaf"
    assert changed("The spelt one weighs only 700 g.", loaves, "Rye loaf", "Weight") == ""


def test_the_person_in_a_cell_may_be_spoken_of_or_speak() -> None:
    mail = "From: {}\nTo: all\n\nSorry, {} stands in for me on Sunday.\n"

    assert changed("Ben Carr leaves us in June.", BOATS, "Tern", "Skipper") == "Tern"
    assert changed(mail.format("Ben Carr", "Ann Pole"), BOATS, "Tern", "Skipper") == "Tern"
    assert changed(mail.format("Ann Pole", "Dora"), BOATS, "Tern", "Skipper") == ""
    assert changed("Ann hands the Heron over to Ben.", BOATS, "Heron", "Skipper") == "Heron"
    assert changed("Ann hands the Heron over to Ben.", BOATS, "Coot", "Skipper") == ""
    codes = "Code,Phrase\n404,Not Found\n410,Gone\n"
    assert changed("It was not found, but changed now.", codes, "", "Phrase") == ""


def test_a_list_of_people_gives_no_row_another_one() -> None:
    crews = "Boat,Skipper,Mate\nHeron,Ann Pole,Dora Lund\nTern,Ben Carr,Dora Lund\nCoot,Cora Long,Eva Moe\n"

    assert changed("Present: Ann Pole (chair), Ben Carr, Eva Moe.", crews, "Heron", "Skipper") == ""
    assert changed("At the helm of the Heron: Ben Carr.", crews, "Heron", "Skipper") == "Heron"


def test_a_sentence_that_speaks_of_its_sender_is_told_in_its_own_words() -> None:
    mail = "From: Ben Carr\nTo: all\n\nSorry, Ann Pole stands in for me on Sunday.\n"
    held = table(BOATS)
    found = find_changed(mail, watch_rows(held, [one for one in held.things if one.name == "Tern"], ["Skipper"]))

    assert found is not None
    assert found.said.strip() == "Sorry, Ann Pole stands in for me on Sunday."


def test_of_several_rows_who_has_a_thing_may_speak_of_anything_but_what_is_asked() -> None:
    assert changed("From: Ben Carr\n\nSeventeen jars had no label, I waited until June.", BOATS, "", "Kind") == ""
    assert changed("Ben Carr has no yawl kind of boat now.", BOATS, "", "Kind") == "Tern"


def test_a_rise_of_all_prices_contradicts_each_but_where_another_column_is_named() -> None:
    told = "Everything costs two euros more from May."

    assert changed(told, PRICES, "Day", "Price") == "Day"
    assert changed(told, BOATS, "Heron", "Seats") == ""
    assert changed("Everything costs more, deposit excepted.", PRICES, "Day", "Price") == ""
    assert changed("Everything costs what the list says.", PRICES, "Day", "Price") == ""


def test_the_lines_of_notes_are_read_one_by_one() -> None:
    notes = "Tern repaired\nHeron: 8 seats\nCoot painted\n"

    assert changed(notes, BOATS, "Heron", "Seats") == ""
    assert changed(notes.replace("8", "9"), BOATS, "Heron", "Seats") == "Heron"


@pytest.mark.parametrize(
    ("told", "row"),
    [
        ("On the board since Monday are the new signs of our shop: tea one pound fifty, scones as before.", "Tea"),
        ("On the door of the shop is a sign that all who come in May will read, and tea is free.", "Tea"),
        ("At the fair at the end of the lane berries cost what they did, but from next week three.", "Berry"),
        ("From the new year children travel free of charge as far as the bridge.", "Child"),
        ("The sum that was entered under tea by mistake is 2.", "Tea"),
        ("Somebody sold the last tea to a man who came in from the rain at the end of a long day.", "Tea"),
    ],
)
def test_what_has_a_price_is_spoken_of_in_small_letters(told: str, row: str) -> None:
    goods = "Item,Price\nTea,1.20\nCoffee,2\nBerry,4\nChild,20\n"

    assert changed(told, goods, row, "Price") == row
    assert changed(told, goods.replace("Price", "Weight"), row, "Weight") == ""


@pytest.mark.parametrize(
    "told",
    [
        "In the shop at the end of the lane tea is 1.20 and free of sugar, as everybody in town may read.",
        "The steam of the teapot costs us the new paint of the walls.",
    ],
)
def test_the_same_price_no_price_and_a_sale_contradict_none(told: str) -> None:
    goods = "Item,Price\nTea,1.20\nCoffee,2\n"

    assert changed(told, goods, "", "Price") == ""


def test_what_is_sold_is_lost_where_it_is_the_last_or_out_or_has_a_name() -> None:
    assert changed("Tea for sale.", "Item,Price\nTea,1.20\n") == ""
    assert changed("Tea is sold out.", "Item,Price\nTea,1.20\n", "", "Price") == "Tea"
    assert changed("We sold the last tea.", "Item,Price\nTea,1.20\n", "", "Price") == "Tea"
    assert changed("The Heron was sold to Marlow.", "Boat,Price\nHeron,20\n", "", "Price") == "Heron"
    assert changed("We sold the Heron.", "Boat,Price\nHeron,20\n", "", "Price") == "Heron"


def test_a_loss_is_told_of_a_row_by_the_value_that_is_asked_for() -> None:
    assert changed("The Director has resigned.", STAFF, "Ann Pole", "Role") == "Ann Pole"
    assert changed("The Director opened the meeting, and a jar was sold.", STAFF, "Ann Pole", "Role") == ""
    assert changed("A Director has resigned.", STAFF, "Ann Pole", "Role") == ""


def test_points_that_are_taken_from_a_row_change_its_points_alone() -> None:
    teams = "Team,Points,Goals\nAshford,20,21\nBexley,19,24\n"

    assert changed("Ashford had three points deducted.", teams, "", "Points") == "Ashford"
    assert changed("Ashford had three points deducted.", teams, "", "Goals") == ""


MENU = (
    "Dish,Price,Vegan,Cook\nLentil soup,4.50,yes,Ann Pole\nPumpkin curry,9.80,yes,Ben Carr\nCave walk,12,no,Cy Fenn\n"
)
FEES = "Mitglied,Beitrag,Aufnahme\nErwachsene,60 €,20 €\nFamilien,110 €,30 €\n"


@pytest.mark.parametrize(
    ("told", "row", "key"),
    [
        ("The curry is now made with cream.", "Pumpkin curry", "Vegan"),
        ("Curry: out of beans, sold out", "Pumpkin curry", "Price"),
        ("Cave: only ten of them!", "Cave walk", "Price"),
        ("Until further notice all mains one euro more.", "Pumpkin curry", "Price"),
        ("Ben has broken a leg. Thea steps in for him.", "Pumpkin curry", "Cook"),
        ("Ben has died.", "Pumpkin curry", "Cook"),
    ],
)
def test_the_end_of_a_name_behind_an_article_and_its_beginning_as_a_label_call_a_row(
    told: str, row: str, key: str
) -> None:
    assert changed(told, MENU, row, key) == row


@pytest.mark.parametrize(
    ("told", "row", "key"),
    [
        ("A curry is now made with cream.", "Pumpkin curry", "Vegan"),
        ("The soup is now made with cream.", "Pumpkin curry", "Vegan"),
        ("The cave is now closed.", "Cave walk", "Price"),
        ("Much is new. Thea steps in for him.", "Pumpkin curry", "Cook"),
        ("All of us rise at six, and all cooks are pleased.", "Pumpkin curry", "Price"),
        ("All guests get ten more chairs.", "Pumpkin curry", "Price"),
    ],
)
def test_what_calls_no_row_by_the_end_of_its_name_changes_nothing(told: str, row: str, key: str) -> None:
    assert changed(told, MENU, row, key) == ""


def test_an_end_that_other_names_have_calls_no_row() -> None:
    assert (
        changed("The curry is now made with cream.", f"{MENU}Fish curry,8,no,Di Marr\n", "Pumpkin curry", "Vegan") == ""
    )


@pytest.mark.parametrize(
    ("told", "key"),
    [
        ("Alle Beiträge steigen um 10 Prozent.", "Beitrag"),
        ("Es ist neu: die Aufnahmegebühr entfällt.", "Aufnahme"),
        ("Eine Aufnahme wird nicht mehr verlangt.", "Aufnahme"),
    ],
)
def test_a_price_that_is_raised_or_asked_of_nobody_is_that_of_no_row(told: str, key: str) -> None:
    assert changed(told, FEES, "Familien", key) == "Familien"


@pytest.mark.parametrize("told", ["Der Beitrag ist im Mai fällig.", "Alle Mitglieder zahlen den Beitrag im Mai."])
def test_what_is_told_of_a_price_without_a_change_changes_none(told: str) -> None:
    assert changed(told, FEES, "Familien", "Beitrag") == ""


BERTHS = (
    "Boat,Type,Built,Berth,Pen\nHeron,dinghy,1998,A3,north\nTern,dinghy,2004,A4,north\nWanderer,yawl,1974,B2,south\n"
)


@pytest.mark.parametrize(
    ("told", "row", "key"),
    [
        ("The berths A3 and A4 were swapped in May.", "Heron", "Berth"),
        ("B2 is empty: all went to Orm.", "Wanderer", "Berth"),
        ("The north pen and the south pen were exchanged.", "Heron", "Pen"),
        ("Ann says that the plate on the yawl reads 1947.", "Wanderer", "Built"),
        ("The Heron was built at Hale in 1996.", "Heron", "Built"),
    ],
)
def test_a_value_that_is_asked_for_is_changed_by_its_own_name_and_a_year_by_another_one(
    told: str, row: str, key: str
) -> None:
    assert changed(told, BERTHS, row, key) == row


@pytest.mark.parametrize(
    ("told", "row", "key"),
    [
        ("The Wanderer lay at A3 when it was changed.", "Heron", "Berth"),
        ("There is a lamp at B2, which is never empty.", "Wanderer", "Berth"),
        ("The north wind has changed.", "Heron", "Pen"),
        ("The Heron, built in 1998, was mended in 2005.", "Heron", "Built"),
    ],
)
def test_what_has_a_value_beside_something_else_changes_none(told: str, row: str, key: str) -> None:
    assert changed(told, BERTHS, row, key) == ""


LESSONS = "Lesson,Monday,Friday\n1,Maths (Reed),Art (Vane)\n2,Maths (Reed),Music (Bell)\n4,PE (Stark),free\n"


def test_a_value_with_a_name_in_brackets_is_called_by_either() -> None:
    assert changed("Art and Music on Fridays change places.", LESSONS, "1", "Friday") == "1"
    assert changed("From 9 October Mr Stark is on leave.", LESSONS, "4", "Monday") == "4"
    assert changed("From 9 October Mr Stark is on leave.", LESSONS, "1", "Monday") == ""
    assert changed("Art has changed.", LESSONS, "1", "Friday") == ""


def test_an_event_of_a_row_in_another_document_changes_the_number_of_rows() -> None:
    held = table("Member,Shares\nAlba,4\nDahl,7\n")
    told, watch = "Dahl asked for his money back.", watch_rows(held, held.things)

    assert find_changed(told, watch) is not None
    assert find_changed(told, watch, is_own=True) is None
    assert find_changed("Dahl holds shares.", watch) is None


def test_of_several_sentences_the_one_that_names_the_row_is_quoted() -> None:
    held = table(BOATS)
    told = "Present: Ben. Ben has lost his knife, but not his hat. The Tern has moved to a larger berth."
    found = find_changed(told, watch_rows(held, held.things[1:2], ["Seats"]))

    assert found is not None
    assert found.said == "The Tern has moved to a larger berth."


PLATFORMS = "Platform,Tier\nLinux x86-64,2\nFree-threaded CPython,2\n"


@pytest.mark.parametrize("told", ["The CPython builds were dropped.", "CPython was dropped."])
def test_the_end_of_a_name_that_names_a_thing_of_its_own_calls_no_row(told: str) -> None:
    assert changed(told, PLATFORMS, "Free-threaded CPython", "Tier") == ""
    assert changed("Free-threaded CPython was dropped.", PLATFORMS, "Free-threaded CPython", "Tier") != ""


def test_what_is_named_as_an_example_is_not_the_one_thing_that_is_called_so() -> None:
    assert changed("Dishes such as curry were dropped.", MENU, "Pumpkin curry", "Vegan") == ""
    assert changed("The curry was dropped.", MENU, "Pumpkin curry", "Vegan") == "Pumpkin curry"


PROPOSALS = (
    "Number,Status,Title\n1,Withdrawn,[New Lids for the better integration of Jars](new-lids.md)\n"
    "2,Accepted,[Washing and Drying Jars](washing.md)\n3,Accepted,[Labels](labels.md)\n"
)


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("Washing and drying jars is not well done by most machines.", ""),
        ("The integration stalled a few years ago.", ""),
        ("If a proposal is accepted, the older one loses its status.", ""),
        ("Washing and Drying Jars is withdrawn by now.", "Washing and Drying Jars"),
        ("The status of Washing and Drying Jars has been withdrawn.", "Washing and Drying Jars"),
    ],
)
def test_of_documents_that_a_table_lists_texts_speak_for_other_reasons_than_their_status(told: str, name: str) -> None:
    assert changed(told, PROPOSALS, "", "Status") == name


def test_the_last_word_of_a_long_name_calls_no_row() -> None:
    kept = "Job,Day\nRepair of the old roof of the barn,Monday\nRepair of the gate,Tuesday\n"
    assert changed("The barn was sold.", kept) == ""
    assert changed("The gate was sold.", kept) == "Repair of the gate"
