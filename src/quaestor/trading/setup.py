"""The options of a new decision session, and the candle files that its mandate names."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from quaestor.contracts.context import SessionRequest, SetupContext
from quaestor.contracts.errors import UsageError
from quaestor.trading.contracts.mandate import DecisionOptions, Mandate
from quaestor.trading.contracts.market import CandleSeries
from quaestor.trading.market.as_of import BacktestTimeline
from quaestor.trading.market.candle_files import LoadedCandles, load_candles

_EXTENSIONS = (".csv", ".parquet")


def configure(context: SetupContext, request: SessionRequest) -> DecisionOptions:
    """Return the options of a session that carries out the mandate of a request.

    Raises UsageError without a mandate, for candles that cannot be read, for a model or a budget that cannot be used.
    """
    options = DecisionOptions.model_validate(
        {
            **dict(context.settings.run_options()),
            "python": "python" in (context.settings.allow or ()),
            **request.options,
        }
    )
    return context.resolve_models(with_candle_sources(options) if options.backtest else options)


def load_mandate_candles(mandate: Mandate) -> Sequence[LoadedCandles]:
    """Read the candles that a mandate names, one file an asset; nothing where they come from an exchange.

    Raises UsageError for a file that is not there or cannot be read, MissingExtra for Parquet without its package.
    """
    if mandate.candles is None:
        if mandate.exchange is None:
            raise UsageError("the mandate names neither candles nor an exchange; set one of them")
        return ()
    place, count = Path(mandate.candles), len(mandate.assets)
    return [load_candles(_candle_file(place, asset, count), asset, zone=mandate.zone) for asset in mandate.assets]


def with_candle_sources(options: DecisionOptions) -> DecisionOptions:
    """Return the options of a backtest with what is to be known of its candles: their files, gaps, repeated rows.

    Raises UsageError for candles that cannot be had, or of which none closes between its times.
    """
    mandate = options.mandate
    loaded = load_mandate_candles(mandate)
    series = [each.series for each in loaded]
    build_timeline(mandate, series, None)
    notes = tuple(f"{each.series.source}: {note.text}" for each in loaded for note in each.notes)
    return options.revised(sources=source_names(series), notes=notes)


def source_names(recorded: Sequence[CandleSeries]) -> tuple[str, ...]:
    """Name where candles come from: files, each with the beginning of the SHA-256 of what is in it."""
    return tuple(series.source for series in recorded)


def require_unchanged(begun: Sequence[str], now: Sequence[str]) -> None:
    """Raise UsageError when the candles of a backtest are no longer those that it began with."""
    changed = [f"{after}, which was {before}" for before, after in zip(begun, now, strict=False) if before != after]
    if changed:
        raise UsageError(
            f"the candles were changed since the backtest began: {'; '.join(changed)}. Put the old ones back to go on "
            "with it, or begin another one"
        )


def build_timeline(mandate: Mandate, recorded: Sequence[CandleSeries], at: datetime | None) -> BacktestTimeline:
    """Return the times at which a backtest has cycles, from `at` on. Raises UsageError without candles."""
    if not recorded:
        raise UsageError('a backtest needs candles in files; name them in the mandate, as candles = "btc.csv"')
    return BacktestTimeline(recorded, mandate.timeframe, start=mandate.start, end=mandate.end, at=at)


def _candle_file(place: Path, asset: str, assets: int) -> Path:
    """Return the file of an asset: the one that is named, or in a folder that with the asset's name."""
    if not place.is_dir():
        if assets > 1:
            raise UsageError(f"{place} is one file and the mandate has {assets} assets; name a folder with a file each")
        return place
    stems = dict.fromkeys(asset.replace("/", mark) for mark in ("-", "_", ""))
    named = [place / f"{stem}{ending}" for stem in stems for ending in _EXTENSIONS]
    found = next((file for file in named if file.is_file()), None)
    if found is None:
        raise UsageError(f"{place} has no candles of {asset}; name the file {named[0].name} or {named[1].name}")
    return found
