"""A small library of documents to research, and a question that needs four todos."""

from pathlib import Path

QUESTION = "How did the harbour lights of Aldmouth come about, and what did they cost?"

PAPERS = {
    "lighthouse.md": """# The Aldmouth lighthouse

The Aldmouth lighthouse was built in 1831 by the engineer Henrike Vos. It stands on the northern mole.

## Cost

Building the Aldmouth lighthouse cost 4,200 crowns. Half of it was paid by the harbour guild.
""",
    "fog.md": """# The fog bell

The fog bell of Aldmouth was cast in 1844 after the wreck of the brig Constancy. The bell was struck by hand.

The fog bell cost 310 crowns, and the keeper was paid 12 crowns a year to strike it.
""",
    "leading-lights.txt": """Leading lights

The two leading lights of Aldmouth were lit for the first time in 1866. They guide ships through the new channel.

The leading lights cost 1,150 crowns, most of it for the iron towers.
""",
    "guild.rst": """The harbour guild
=================

The harbour guild of Aldmouth collected light dues from every ship from 1829 on.

Dues
----

Light dues were two pence a ton. They paid for the lighthouse, the bell and the lights.
""",
    "keepers.txt": """The keepers

Anna Brandt kept the Aldmouth lighthouse from 1851 to 1873. She logged every ship that passed the mole.
""",
}

SCRIPT = """
planner:
  - latency: 0.01
    reply:
      todos:
        - {task: "When was the Aldmouth lighthouse built and what did it cost?"}
        - {task: "When was the fog bell of Aldmouth cast and what did it cost?"}
        - {task: "When were the leading lights of Aldmouth lit and what did they cost?"}
        - {task: "Who paid for the harbour lights of Aldmouth?", dependencies: [t1, t2]}
query_writer:
  - {latency: 0.02, times: 50}
reader:
  - {todo: t1, latency: 0.05}
  - {todo: t2, fault: garbage}
  - {latency: 0.01, times: 50}
reviewer:
  - todo: t3
    reply: {is_sufficient: true, summary: lit, new_todos: ["Who kept the Aldmouth lighthouse?"]}
  - {latency: 0.01, times: 50}
writer:
  - {latency: 0.01, times: 50}
"""


def write_papers(folder: Path) -> Path:
    """Write the documents and the script into a folder; return the folder of the documents."""
    docs = folder / "papers"
    docs.mkdir(parents=True)
    for name, text in PAPERS.items():
        (docs / name).write_text(text, encoding="utf-8")
    (folder / "script.yaml").write_text(SCRIPT, encoding="utf-8")
    return docs
