"""The options of a new decision session: its mandate, and what the settings say."""

from quaestor.contracts.context import SessionRequest, SetupContext
from quaestor.trading.candle_sources import with_candle_sources
from quaestor.trading.contracts.mandate import DecisionOptions


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
