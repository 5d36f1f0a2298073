import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.market import START, rows, write_csv
from quaestor.contracts.errors import UsageError
from quaestor.contracts.installation import install_command
from quaestor.trading.contracts.market import CandleSeries, Timeframe, from_epoch_ms
from quaestor.trading.market.candle_files import load_candles

HEAD = "timestamp,open,high,low,close,volume"
AT = "2025-01-01T{:02}:00:00Z"


def line(hour: int, price: float = 10.0, volume: float = 1.0) -> str:
    return f"{AT.format(hour)},{price},{price + 1},{price - 1},{price},{volume}"


def written(folder: Path, *lines: str, name: str = "btc.csv") -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def hours(series: CandleSeries) -> list[int]:
    return [candle.opened.hour for candle in series]


def refused(path: Path, timeframe: Timeframe | None = None, zone: str | None = None) -> str:
    with pytest.raises(UsageError) as error:
        load_candles(path, "BTC/USDT", timeframe, zone)
    return str(error.value)


def test_a_file_gives_its_candles_to_the_last_digit_and_names_itself_as_their_source(tmp_path: Path) -> None:
    made = list(rows(200))
    series, notes = load_candles(write_csv(tmp_path / "btc.csv", made), "BTC/USDT")
    assert (series.asset, series.timeframe, notes) == ("BTC/USDT", "1h", ())
    assert [tuple(candle.model_dump().values())[1:] for candle in series] == [row[1:] for row in made]
    assert list(series.opened) == [row.opened for row in made]
    assert series.source == f"btc.csv@{sha256((tmp_path / 'btc.csv').read_bytes()).hexdigest()[:12]}"


@pytest.mark.parametrize(
    "head",
    [
        "Open Time,Open,High,Low,Close,Volume",
        "unix;OPEN;HIGH;LOW;CLOSE;Vol",
        "date\topen\thigh\tlow\tclose\tvolume",
        "Timestamp,Open,High,Low,Close,Volume_(BTC)",
        '"datetime","o","h","l","c","v"',
    ],
)
def test_headings_are_known_in_several_spellings_and_with_several_delimiters(tmp_path: Path, head: str) -> None:
    delimiter = next(each for each in ",;\t" if each in head)
    path = written(tmp_path, head, *(line(hour).replace(",", delimiter) for hour in (0, 1, 2)))
    assert hours(load_candles(path, "BTC/USDT").series) == [0, 1, 2]


def test_of_several_times_the_first_in_the_list_is_read_and_other_columns_are_noted(tmp_path: Path) -> None:
    head = "unix,date,symbol,open,high,low,close,Volume USDT,Volume BTC"
    path = written(tmp_path, head, "1735689600,x,BTC,1,2,1,2,9,5", "1735693200,y,BTC,2,2,1,1,9,6")
    series, notes = load_candles(path, "BTC/USDT")
    assert list(series.volume) == [5, 6]
    assert hours(series) == [0, 1]
    assert [note.text for note in notes] == ["columns that are not read: date, Volume USDT"]


def test_a_file_without_headings_has_time_prices_and_volume_from_the_left(tmp_path: Path) -> None:
    path = written(tmp_path, "1735689600000,1,3,0.5,2,7,1735693199999,0", "1735693200000,2,3,1,2,8,1735696799999,0")
    series, notes = load_candles(path, "BTC/USDT")
    assert [(candle.opened.hour, candle.high, candle.volume) for candle in series] == [(0, 3, 7), (1, 3, 8)]
    assert [note.text for note in notes] == ["columns that are not read: column 7, column 8"]


def test_lines_above_the_table_and_empty_lines_are_left_aside_and_rows_counted_as_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeffhttps://www.example.com", HEAD, line(0), "", line(1))
    series, notes = load_candles(path, "BTC/USDT")
    assert hours(series) == [0, 1]
    assert [note.text for note in notes] == ["lines above the table that are not read: 1"]
    assert "row 5: " in refused(written(tmp_path, "above", HEAD, line(0), "", "x," + line(1)))


@pytest.mark.parametrize(
    "written_as", ["1735689600", "1735689600.0", "1735689600000", "1735689600000000", "1735689600000000000"]
)
def test_a_count_from_1970_is_read_by_its_digits(tmp_path: Path, written_as: str) -> None:
    path = written(tmp_path, HEAD, f"{written_as},1,2,1,2,0")
    assert load_candles(path, "BTC/USDT", "1h").series.closed(0) == datetime(2025, 1, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "written_as",
    [
        "2025-01-01T00:00:00Z",
        "2025-01-01 00:00:00+00:00",
        "2025-01-01T05:30+05:30",
        "2024-12-31T19:00:00-05:00",
        "2025-01-01 00:00:00 UTC",
    ],
)
def test_an_offset_is_converted(tmp_path: Path, written_as: str) -> None:
    path = written(tmp_path, HEAD, f"{written_as},1,2,1,2,0")
    assert from_epoch_ms(load_candles(path, "BTC/USDT", "1h").series.opened[0]) == START


def test_a_time_without_an_offset_is_refused_until_its_zone_is_declared(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD, "2025-01-01 01:00:00,1,2,1,2,0", "2025-01-01 02:00:00,1,2,1,2,0")
    assert "row 2: the time 2025-01-01T01:00:00 has no offset; declare the zone" in refused(path)
    assert hours(load_candles(path, "BTC/USDT", zone="UTC").series) == [1, 2]
    assert hours(load_candles(path, "BTC/USDT", zone="Europe/Berlin").series) == [0, 1]
    assert "no zone 'Mars'" in refused(path, zone="Mars")


@pytest.mark.parametrize("local", ["2025-10-26 02:00:00", "2025-03-30 02:00:00"])
def test_a_time_that_a_clock_shows_twice_or_never_is_refused(tmp_path: Path, local: str) -> None:
    assert "twice or never" in refused(written(tmp_path, HEAD, f"{local},1,2,1,2,0"), "1h", "Europe/Berlin")


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        ("1735693200000,1,2,1,2,0", "is not one of seconds, as the first one is"),
        ("01/02/2025,1,2,1,2,0", "is not one of seconds"),
    ],
)
def test_the_times_of_a_file_are_all_written_in_one_way(tmp_path: Path, second: str, reason: str) -> None:
    assert f"row 3: the time '{second.partition(',')[0]}' {reason}" in refused(
        written(tmp_path, HEAD, "1735689600,1,2,1,2,0", second)
    )


def test_a_date_in_another_order_is_refused(tmp_path: Path) -> None:
    assert "neither a count from 1970 nor ISO 8601" in refused(written(tmp_path, HEAD, "01/02/2025,1,2,1,2,0"))


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ("nan,2,1,2,0", "open is nan, not a number"),
        ("1,inf,1,2,0", "high is inf, not a number"),
        (",2,1,2,0", "'' is not a number"),
        ("1,2,1,x,0", "'x' is not a number"),
        ("1_0,20,1,2,0", "'1_0' is not a number"),
        ("1,2,0,2,0", "low is 0.0; a price is above 0"),
        ("1,2,-1,2,0", "low is -1.0; a price is above 0"),
        ("1,2,1,2,-3", "volume is -3.0; a price is above 0 and a volume not below it"),
        ("1,2,1,2,nan", "volume is nan"),
        ("1,2,3,2,0", "low 3.0 is above another price"),
        ("1,2,1.5,2,0", "low 1.5 is above another price"),
        ("1,2,1,3,0", "high 2.0 is below another price"),
        ("1,2,1", "it has 4 cells, and 6 are needed"),
    ],
)
def test_a_row_that_cannot_be_is_refused_with_file_row_and_time(tmp_path: Path, cells: str, reason: str) -> None:
    said = refused(written(tmp_path, HEAD, line(0), f"{AT.format(1)},{cells}"))
    assert said.startswith(f"candles of BTC/USDT cannot be read from {tmp_path / 'btc.csv'}: row 3")
    assert reason in said
    assert "is not a number" in said or "cells" in said or "row 3 (2025-01-01T01:00:00+00:00): " in said


def test_the_first_five_faults_are_named_and_the_others_counted(tmp_path: Path) -> None:
    said = refused(written(tmp_path, HEAD, *(f"{AT.format(hour)},1,2,1,9,0" for hour in range(8))))
    assert [f"row {number} " in said for number in range(2, 9)] == [True] * 5 + [False] * 2
    assert said.endswith("; and 3 more")


def test_rows_of_one_time_that_agree_count_once_and_are_noted(tmp_path: Path) -> None:
    series, notes = load_candles(written(tmp_path, HEAD, line(0), line(1), line(1), line(2)), "BTC/USDT")
    assert hours(series) == [0, 1, 2]
    assert [(note.kind, note.text) for note in notes] == [("duplicate", "rows 3 and 4 are the same; one counts")]


def test_rows_of_one_time_that_differ_are_refused(tmp_path: Path) -> None:
    said = refused(written(tmp_path, HEAD, line(0), line(1), line(1, 11.0)))
    assert "row 4 (2025-01-01T01:00:00+00:00): row 3 is of the same time and says otherwise" in said


def test_candles_of_two_assets_in_one_file_are_refused_by_their_names(tmp_path: Path) -> None:
    said = refused(written(tmp_path, HEAD + ",symbol", line(0) + ",BTC", line(0, 3) + ",ETH"))
    assert "it holds candles of BTC, ETH; give one file an asset" in said


def test_rows_out_of_order_are_sorted_with_a_note(tmp_path: Path) -> None:
    series, notes = load_candles(written(tmp_path, HEAD, line(0), line(2), line(1), line(3)), "BTC/USDT")
    assert hours(series) == [0, 1, 2, 3]
    assert [(note.kind, note.text) for note in notes] == [
        ("order", "rows earlier than the one before: 1, from row 4 (2025-01-01T01:00:00+00:00); sorted")
    ]
    _, notes = load_candles(written(tmp_path, HEAD, line(3), line(2), line(1)), "BTC/USDT")
    assert notes[0].text.startswith("the newest row comes first")


def test_a_gap_is_noted_from_its_first_missing_candle_to_its_last(tmp_path: Path) -> None:
    series, notes = load_candles(written(tmp_path, HEAD, line(0), line(1), line(5), line(7)), "BTC/USDT")
    assert hours(series) == [0, 1, 5, 7]
    assert [(note.text, note.first, note.last) for note in notes] == [
        (
            "missing candles: 3, from 2025-01-01T02:00:00+00:00 to 2025-01-01T04:00:00+00:00",
            from_epoch_ms(series.opened[1] + 3_600_000),
            from_epoch_ms(series.opened[2] - 3_600_000),
        ),
        (
            "missing candles: 1, from 2025-01-01T06:00:00+00:00 to 2025-01-01T06:00:00+00:00",
            from_epoch_ms(series.opened[3] - 3_600_000),
            from_epoch_ms(series.opened[3] - 3_600_000),
        ),
    ]


def test_of_many_gaps_the_first_fifty_are_noted_and_the_others_counted(tmp_path: Path) -> None:
    made = [row for number, row in enumerate(rows(240)) if number % 3]
    _, notes = load_candles(write_csv(tmp_path / "btc.csv", made), "BTC/USDT")
    assert len(notes) == 51
    assert notes[-1].text == "29 more gaps"


@pytest.mark.parametrize(
    ("lines", "timeframe", "reason"),
    [
        ([line(0)], None, "one row does not say how long a candle is"),
        ([line(0), line(3)], None, "180 minutes apart, which is not 1m, 5m"),
        ([line(0), line(1)], "5m", "60 minutes apart, which is not 5m"),
        ([line(0), line(1)], "4h", "row 3 (2025-01-01T01:00:00+00:00): no candle of 4h opens then"),
        (
            [line(0).replace(":00:00Z", ":30:00Z"), line(1).replace(":00:00Z", ":30:00Z")],
            None,
            "no candle of 1h opens then",
        ),
        ([], None, "there are no rows"),
    ],
)
def test_times_at_which_no_candle_opens_are_refused(
    tmp_path: Path, lines: Sequence[str], timeframe: Timeframe | None, reason: str
) -> None:
    assert reason in refused(written(tmp_path, HEAD, *lines), timeframe)


def test_weeks_open_on_monday(tmp_path: Path) -> None:
    monday, next_one = "2025-01-06T00:00:00Z,1,2,1,2,0", "2025-01-13T00:00:00Z,1,2,1,2,0"
    assert load_candles(written(tmp_path, HEAD, monday, next_one), "BTC/USDT").series.timeframe == "1w"
    assert "no candle of 1w opens then" in refused(written(tmp_path, HEAD, line(0)), "1w")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["timestamp,open,high,low,close,amount", line(0)], "no column is headed volume or vol"),
        (["close_time,open,high,low,close,volume", line(0)], "no column is headed opentime or timestamp"),
        ([HEAD + ",Open", line(0) + ",1"], "2 columns are headed open; leave one"),
        (["a,b,c", "1,2,3"], "has 6 cells with commas, semicolons or tabs"),
        ([], "has 6 cells"),
        ([",,,,,"], "no column is headed"),
    ],
)
def test_a_file_without_the_six_columns_is_refused(tmp_path: Path, lines: Sequence[str], reason: str) -> None:
    assert reason in refused(written(tmp_path, *lines))


def test_a_file_that_is_no_text_or_not_there_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes("größe".encode("latin-1"))
    assert "not UTF-8 after row 0" in refused(tmp_path / "latin.csv")
    assert "No such file" in refused(tmp_path / "none.csv")
    assert "Is a directory" in refused(tmp_path)
    assert "not read from .json" in refused(written(tmp_path, "{}", name="a.json"))
    assert "it is no Parquet file that can be read" in refused(written(tmp_path, "{}", name="a.parquet"))


def parquet(path: Path, made: Sequence[object], times: pa.Array) -> Path:
    columns = {name: pa.array([getattr(row, name) for row in made], pa.float64()) for name in HEAD.split(",")[1:]}
    pq.write_table(pa.table({"timestamp": times, **columns}), path)
    return path


@pytest.mark.parametrize(
    "kind",
    [pa.timestamp("ms", "UTC"), pa.timestamp("ns", "America/New_York"), pa.timestamp("us"), pa.int64(), pa.string()],
)
def test_parquet_gives_the_candles_that_csv_gives(tmp_path: Path, kind: pa.DataType) -> None:
    made = list(rows(50))
    opened = [row.opened for row in made]
    if pa.types.is_timestamp(kind):
        times = pa.array(opened, pa.timestamp("ms", kind.tz)).cast(kind)
    else:
        times = pa.array([str(each) for each in opened] if pa.types.is_string(kind) else opened, kind)
    zone = "UTC" if pa.types.is_timestamp(kind) and kind.tz is None else None
    text, _ = load_candles(write_csv(tmp_path / "btc.csv", made), "BTC/USDT")
    series, notes = load_candles(parquet(tmp_path / "btc.parquet", made, times), "BTC/USDT", zone=zone)
    assert list(series) == list(text)
    assert notes == ()


def test_a_time_finer_than_a_microsecond_is_refused(tmp_path: Path) -> None:
    made = list(rows(2))
    path = parquet(
        tmp_path / "btc.parquet",
        made,
        pa.array([row.opened * 1_000_000 + 1 for row in made], pa.timestamp("ns", "UTC")),
    )
    assert "it is no Parquet file that can be read: Casting from timestamp[ns" in refused(path)


def test_a_missing_number_in_parquet_is_refused_by_its_row(tmp_path: Path) -> None:
    table = pa.table(
        {name: pa.array([1.0, None]) for name in HEAD.split(",")[1:]}
        | {"time": ["2025-01-01T00:00Z", "2025-01-01T01:00Z"]}
    )
    pq.write_table(table, tmp_path / "btc.parquet")
    assert "row 2: None is not a number" in refused(tmp_path / "btc.parquet")


@given(
    st.binary(max_size=200)
    | st.text(alphabet='0123456789.,;\n"-TZ:ae', max_size=300).map(lambda said: (HEAD + "\n" + said).encode())
)
def test_whatever_stands_in_a_file_it_gives_candles_or_a_reason(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(content)
    with suppress(UsageError):
        series, _ = load_candles(path, "BTC/USDT", zone="UTC")
        assert list(series.opened) == sorted(set(series.opened))


def test_text_is_read_without_any_package_and_parquet_names_the_command_that_installs_it(tmp_path: Path) -> None:
    text, table = write_csv(tmp_path / "btc.csv", list(rows(5))), written(tmp_path, "", name="btc.parquet")
    program = (
        "import sys; sys.modules.update(dict.fromkeys(['numpy', 'pyarrow', 'talib', 'ccxt']))\n"
        "from datetime import UTC, datetime\nfrom pathlib import Path\n"
        "from quaestor.contracts.errors import MissingExtra\n"
        "from quaestor.trading.market.as_of import BacktestClock, RecordedMarket\n"
        "from quaestor.trading.session_tools import open_exchange_market\n"
        "from quaestor.trading.market.candle_files import load_candles\n"
        "from quaestor.trading.market.indicator_tools import RunIndicator\n"
        "clock = BacktestClock(datetime(2026, 1, 1, tzinfo=UTC))\n"
        f"history = RecordedMarket(clock, [load_candles(Path({str(text)!r}), 'BTC').series])\n"
        "for need in (\n"
        f"    lambda: load_candles(Path({str(table)!r}), 'BTC'),\n"
        "    lambda: RunIndicator(history),\n"
        "    lambda: open_exchange_market('binance', clock, ['BTC/USDT']),\n"
        "):\n"
        "    try: need()\n"
        "    except MissingExtra as missing: print(missing)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == [
        f"Parquet files need an extra: {install_command('market')}",
        f"indicators need an extra: {install_command('market')}",
        f"candles of an exchange need an extra: {install_command('exchange')}",
    ]
