# The two commands a newcomer needs are `make demo` and `make test`; both set up what they need in .venv.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
PYTHON ?= $(shell for python in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)

.PHONY: demo test check format bench bench-evidence soak lock clean

demo: $(READY)
	$(BIN)/quaestor --home $(VENV)/demo demo

test: check
	$(BIN)/pytest -m "not soak"

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)
	$(BIN)/python bench/kernel.py
	$(BIN)/python bench/barrier.py
	$(BIN)/python bench/start.py
	$(BIN)/python bench/replies.py
	$(BIN)/python bench/online.py

# Reads the data sets in the folder that QUAESTOR_BENCH_DATA names.
bench-evidence: $(READY)
	$(BIN)/python bench/evidence
	$(BIN)/python bench/injection.py

soak: $(READY)
	$(BIN)/pytest -m soak

# Writes exact versions and no address of an index.
lock: $(READY)
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
		--no-header --no-annotate --quiet --output-file requirements.lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name it with make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)
