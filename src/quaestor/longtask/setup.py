"""The options of a new long task: what the settings say, resolved against the engines and models there are."""

from quaestor.contracts.context import SessionRequest, SetupContext
from quaestor.longtask.contracts import TaskOptions
from quaestor.longtask.tools.registry import TOOLS


def configure(context: SetupContext, request: SessionRequest) -> TaskOptions:
    """Return the options of a task, with the folder in which it works.

    Raises UsageError for a model, an engine, a budget or a folder that cannot be used, SetupError for a missing key.
    """
    settings = context.settings
    options = TaskOptions.model_validate(
        {
            **dict(settings.run_options()),
            "workspace": str(settings.workspace.resolve()) if settings.workspace else "",
            "tools": TOOLS if settings.allow is None else settings.allow,
            "databases": tuple(settings.databases),
            "rounds": settings.rounds,
            "approve": settings.approve,
            "approve_after_untrusted": settings.approve_after_untrusted,
            "engines": context.engine_names(),
            "corpus": request.corpus.corpus if request.corpus else "",
            **request.options,
        }
    )
    options = context.resolve_models(options)
    return options.revised(workspace=context.workspace(request.text, options, options.workspace))
