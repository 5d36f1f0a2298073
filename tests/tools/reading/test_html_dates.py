from datetime import date

import pytest
from lxml.html import document_fromstring  # type: ignore[import-untyped]  # it ships no types

from quaestor.tools.reading.html_dates import page_dates
from quaestor.tools.reading.metadata import first_date

SIXTH_OF_MAY = date(2020, 5, 6)
PAGE = "<html><head><title>Bells</title></head><body><h1>Bells</h1>{}<p>The bell was cast by Ann Lee.</p></body></html>"


def dated(body: str) -> date | None:
    html = PAGE.format(body)
    return first_date(page_dates(document_fromstring(html), html, "file:///bells.html"))


@pytest.mark.parametrize(
    "body",
    [
        "<p>Last updated: 6 May 2020</p>",
        "<p>Stand: 06.05.2020</p>",
        "<p>Zuletzt geändert am 6. Mai 2020, 10:30 Uhr.</p>",
        "<p>By Ann Lee, published on Wednesday, 6 May 2020</p>",
        "<div><h2>Hours</h2>Published 2020-05-06<p>At ten.</p></div>",
        "<footer><p>&copy; Ann Lee | This page was last modified on May 6, 2020.</p></footer>",
        "<footer>6 May 2020</footer>",
        "<p class='byline'>Ann Lee, <span>6 May 2020</span></p>",
        "<div class='post-meta'><a href='/lee'>Ann Lee</a> 2020-05-06</div>",
        "<header><p>Ann Lee, <time datetime='2020-05-06T10:00:00'>three days ago</time></p></header>",
        "<p><time datetime='2020-05-06'>05/06/2020</time></p>",
        "<p>Rung on <time itemprop='datePublished' datetime='2020-05-06'>6 May</time> by the mayor.</p>",
        "<p>Published 2019-01-02</p><p>Updated 2020-05-06</p>",
    ],
)
def test_a_page_is_dated_by_what_states_its_date(body: str) -> None:
    assert dated(body) == SIXTH_OF_MAY


@pytest.mark.parametrize(
    "body",
    [
        "<ul><li>%I ISO-8601 date and time, e.g. 2016-08-10T09:47:38+0100</li></ul>",
        "<p>Its lowest value was read on 2012-02-07.</p>",
        "<p>Our book was published 2012-02-07, and the bell is the subject of most of it.</p>",
        "<div>The lowest value, 2012-02-07T10:00:00, is that of a cold night</div>",
        "<p class='date'>We met on 7 February 2012.</p>",
        "<ul class='dates'><li>Concert: 7 February 2012</li></ul>",
        "<li>Updated 7 February 2012: the bell is rung by hand</li>",
        "<p>Last read 2012-02-07</p>",
        "<div><time>7 February 2012</time> Concert</div>",
        "<table><tr><td>Updated 2012-02-07</td></tr></table>",
        "<p data-since='2012-02-07T10:00:00'>It is silent.</p>",
        "<p>Last updated: 05/06/2020</p>",
    ],
)
def test_a_date_that_a_page_tells_of_is_not_its_own(body: str) -> None:
    assert dated(body) is None


def test_a_description_of_a_page_is_no_statement_of_its_date() -> None:
    html = PAGE.format("").replace(
        "<title>", '<meta name="description" content="The call of 2012-02-07 10:00:00"><title>'
    )
    assert list(page_dates(document_fromstring(html), html, "file:///bells.html")) == [None]
