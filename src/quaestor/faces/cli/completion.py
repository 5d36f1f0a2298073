"""What completes the command line in a shell, with the lines that say where to put it."""

from collections.abc import Mapping
from typing import Literal

Shell = Literal["bash", "zsh", "fish"]

_PLACES: Mapping[Shell, str] = {
    "bash": """\
# Put this into ~/.local/share/bash-completion/completions/quaestor, with the package bash-completion installed.
# Or only for this shell: source <(quaestor completion bash)
""",
    "zsh": """\
# Put this into a file _quaestor in a folder of $fpath, as ~/.zfunc: `fpath+=~/.zfunc` before compinit in ~/.zshrc.
# Or only for this shell: source <(quaestor completion zsh)
""",
    "fish": """\
# Put this into ~/.config/fish/completions/quaestor.fish.
# Or only for this shell: quaestor completion fish | source
""",
}
# The parser only defines the function. As a file of $fpath the script is itself the body of a function that zsh calls
# for the first completion; sourced, it has to register the one that it defines.
_CALL_IN_ZSH = """
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _cyclopts_quaestor "$@"
else
  compdef _cyclopts_quaestor quaestor
fi
"""


def completion_script(shell: Shell, generated: str) -> str:
    """Return the script that the parser generated, ready to be put in its place.

    The first line stays the first: zsh looks there for what a file completes.
    """
    first, _, rest = generated.partition("\n")
    return f"{first}\n{_PLACES[shell]}{rest}{_CALL_IN_ZSH if shell == 'zsh' else ''}"
