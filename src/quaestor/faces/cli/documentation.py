"""The documentation in the terminal."""

import sys
from typing import Annotated

from cyclopts import Parameter

from quaestor.app.documentation import documentation_pages, read_page
from quaestor.faces.cli.manual import render_manual
from quaestor.faces.cli.output import write_stderr, write_stdout, write_table
from quaestor.faces.cli.program import build_app
from quaestor.faces.cli.report_view import page_markdown


async def docs(
    page: Annotated[str | None, Parameter(name="PAGE", help="A page; without one they are all listed.")] = None,
    /,
    *,
    man: Annotated[
        bool, Parameter(negative="", show_default=False, help="Print the manual page of the program, for `man`.")
    ] = False,
) -> int:
    """Show a page of the documentation: in your pager on a terminal, else as Markdown."""
    if man:
        write_stdout(render_manual(build_app()))
        return 0
    if page is None:
        write_table([("PAGE", "ABOUT"), *documentation_pages()])
        write_stderr("show one with: quaestor docs PAGE")
        return 0
    text = read_page(page)
    if sys.stdout.isatty():
        page_markdown(text)
    else:
        write_stdout(text)
    return 0
