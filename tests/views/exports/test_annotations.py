import json

from quaestor.views.exports.annotations import write_annotations
from views.exports.material import material


def test_a_quote_is_found_by_its_words_and_by_its_place() -> None:
    given = material({"Lights": "The lamp 😀 burns oil. It was lit in 1823."})
    (content,) = write_annotations(given).values()
    collection = json.loads(content)
    (item,) = collection["first"]["items"]
    words, place = item["target"]["selector"]
    (text,) = given.texts.values()
    assert text[place["start"] : place["end"]] == words["exact"] == "The lamp 😀 burns oil"
    assert text.startswith(words["prefix"] + words["exact"] + words["suffix"])
    assert (item["body"]["value"], item["target"]["source"]) == (
        "It says: The lamp 😀 burns oil",
        "https://coast.example/1",
    )
    assert (collection["type"], collection["total"]) == ("AnnotationCollection", 1)


def test_what_is_not_confirmed_is_a_tag_of_its_statement() -> None:
    given = material()
    refuted = given.revised(statements=tuple(one.revised(standing="refuted: It is gas.") for one in given.statements))
    (content,) = write_annotations(refuted).values()
    (item,) = json.loads(content)["first"]["items"]
    assert [(body["purpose"], body["value"]) for body in item["body"]] == [
        ("commenting", given.statements[0].text),
        ("tagging", "refuted: It is gas."),
    ]
