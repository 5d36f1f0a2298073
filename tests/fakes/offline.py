"""The offline model with the rules of every built-in workflow."""

from quaestor.contracts.plugin import OfflineRules
from quaestor.models.offline import OfflineModel
from quaestor.runtime.registry import built_in_plugins


def all_rules() -> OfflineRules:
    return tuple(rule for plugin in built_in_plugins() for rule in plugin.offline_rules())


def offline_model() -> OfflineModel:
    return OfflineModel(all_rules)
