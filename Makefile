# Every command of the project. `make` alone lists them.
PYTHON ?= python3
BIN := .venv/bin
PACKAGES := gin_rules gin_bots gin_tournament gin_messages gin_servicekit gin_web gin_lobby gin_engine gin_ratings gin_live gin_local
CODE := $(wildcard shared services tests benchmarks tools deploy examples)
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

.DEFAULT_GOAL := help
.PHONY: help up demo stop test check lock bench screenshots wheel wheel-compiled soak clean

help: ## list every command
	@awk -F ':.*## ' '/^[a-z.-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Made anew only when the lock changes; needs nothing but Python 3.11 or newer. The stamp is written last.
.venv: .venv/installed ## install everything that is locked
.venv/installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	if ! cmp -s requirements.lock .venv/requirements.lock; then \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock \
	  && cp requirements.lock .venv/requirements.lock; \
	fi
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

demo: .venv/installed ## start everything and let bots play a tournament
	$(BIN)/ginhall demo

up: .venv/installed ## start everything; Ctrl-C stops it
	$(BIN)/ginhall up

stop: .venv/installed ## stop everything
	$(BIN)/ginhall stop

test: .venv/installed ## run every test, in random order, on every core (ARGS="-k name" for some)
	$(BIN)/python -m pytest -n $(CORES) --dist worksteal -m "not soak" $(ARGS)

check: .venv/installed ## lint, format, types, the floors of the house, the lock files
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	MYPYPATH=shared:services $(BIN)/mypy $(addprefix -p ,$(PACKAGES))
	$(BIN)/lint-imports
	cp requirements.lock .venv/lock.check && $(LOCK) --extra local --extra dev -o .venv/lock.check pyproject.toml
	diff requirements.lock .venv/lock.check
	cp deploy/requirements.lock .venv/lock.check && $(LOCK) -o .venv/lock.check pyproject.toml
	diff deploy/requirements.lock .venv/lock.check

lock: .venv/installed ## lock what pyproject.toml asks for (UPGRADE=--upgrade for newer versions)
	$(LOCK) $(UPGRADE) --extra local --extra dev -o requirements.lock pyproject.toml
	$(LOCK) $(UPGRADE) -o deploy/requirements.lock pyproject.toml

bench: .venv/installed ## measure; prints its tables (ARGS="rules peers" for some)
	$(BIN)/python -m benchmarks $(ARGS)

screenshots: .venv/installed ## take the pictures in docs/images anew; needs chromium
	$(BIN)/python tools/screenshots.py

wheel: .venv/installed ## make the pure wheel in dist/
	$(BIN)/python -m hatchling build -t wheel -d dist

wheel-compiled: .venv/installed ## make a wheel with compiled rules in dist/: the same results, faster; needs a C compiler
	$(BIN)/python -m tools.compiled_rules --wheel dist

soak: .venv/installed ## hours of play under load
	$(BIN)/python -m pytest -m soak --timeout=0 -s $(ARGS)

clean: ## remove what can be made again, but neither .venv nor .ginhall
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage* dist build
	find shared services tests -name __pycache__ -type d -prune -exec rm -rf {} +
