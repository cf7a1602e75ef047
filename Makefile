# All that is done with this project, by name. `make help` lists it.
# Needed: make, git and Python 3.11 or newer with venv; the rest goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
UV := build/lock/bin/uv
UV_VERSION := 0.13.7
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-header --no-annotate --no-emit-index-url --upgrade pyproject.toml

SPREAD := -n 2 --dist worksteal
COVERING := tests/games

LEVELS := clay,terracotta,glaze,faience,porcelain
LADDER_GAMES ?= 800
LADDER = $(BIN)/tuilerie arena --neighbours --games $(LADDER_GAMES) --no-records

.DEFAULT_GOAL := help
ifndef TOGETHER
.NOTPARALLEL:
endif
.PHONY: help setup web core play test lint types tests browser servers client proof bench \
	bench-server ladder ray docs lock golden shots figures clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY)  ## Make .venv with everything that is pinned, and the command in it
	@:

play: web core  ## Play in the browser; its address is printed
	@$(BIN)/tuilerie serve --open --log-level warning

web: setup  ## Build the web client into the package
	@$(BIN)/python hatch_build.py

core: setup  ## Compile the fast core into the package
	@$(BIN)/python native/build.py || echo "Without it, everything runs on the plain rules, only slower."

# What keeps one core busy goes side by side; the tests use two cores by themselves.
test: setup  ## Run every check: lint, types, the client's tests, all tests (one builds the docs)
	@$(MAKE) --no-print-directory --keep-going --jobs=2 TOGETHER=1 lint types client; checked=$$?; \
		$(MAKE) --no-print-directory --keep-going tests browser && exit $$checked

lint: setup  ## Check style and formatting
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: core  ## Check the types
	$(BIN)/mypy

client: web  ## Check and test the web client
	@$(BIN)/python hatch_build.py check

servers:  ## Install PostgreSQL, Redis and Chromium for the tests that need them, where possible
	@scripts/test-servers

# Watching every branch makes the rules half as fast: only the tests that are there to cover them pay.
tests: web core servers  ## Run the tests; the rules must be covered whole, branch by branch
	$(BIN)/pytest $(SPREAD) $(COVERING) --cov --cov-branch --cov-fail-under=100
	$(BIN)/pytest $(SPREAD) --ignore tests/browser $(addprefix --ignore ,$(COVERING))

# In a run of its own: what drives the browser and what tests the server cannot share an event loop.
browser: web core servers  ## Play whole games in a real browser
	$(BIN)/pytest $(SPREAD) tests/browser

ray: setup  ## Install Ray, where possible: for arenas on a cluster, and their proof
	@$(BIN)/python -c 'import ray' 2>/dev/null \
		|| $(PIP) install --require-hashes --requirement requirements-ray.lock \
		|| echo "Ray cannot be installed here; the proofs that need it are left out."

proof: core servers ray  ## Run the slow proofs: many random games, deep move counts
	$(BIN)/pytest $(SPREAD) -m proof

bench: core  ## Run the benchmarks of both engines, beside others
	@$(BIN)/python benchmarks

ladder: core  ## Measure each level of each game against the next, into build/ladder (half an hour)
	@$(LADDER) genial --bots $(LEVELS)@3000n --out build/ladder/genial
	@$(LADDER) blockers --bots $(LEVELS)@3500n --out build/ladder/blockers
	@$(LADDER) kaosmos --bots $(LEVELS) --out build/ladder/kaosmos

bench-server: core  ## Load a server with thousands of sockets, beside a bare echo
	@$(BIN)/python benchmarks/server_load.py --rounds 3

docs: core  ## Build the documentation into docs/_build/html
	$(BIN)/sphinx-build -q -W -E -a -d docs/_build/doctrees docs docs/_build/html

shots: web core servers  ## Take pictures of every screen into build/shots
	$(BIN)/python -m tests.browser.shots

figures: web core servers  ## Print how small, quick and smooth the client is
	@$(BIN)/python -m tests.browser.figures

golden: setup  ## Write the golden playthroughs anew; read the difference before you commit it
	$(BIN)/python -m tests.playthroughs

lock: $(UV)  ## Pin the newest versions that pyproject.toml allows
	$(COMPILE) --output-file requirements.lock
	$(COMPILE) --extra dev --output-file requirements-dev.lock
	$(COMPILE) --extra ray --constraint requirements-dev.lock --output-file requirements-ray.lock

clean:  ## Remove what was built, except .venv
	rm -f src/tuilerie/native/*.so src/tuilerie/native/.stamp
	rm -rf build dist docs/_build .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests docs -name __pycache__ -prune -exec rm -rf {} +

# The lock holds the build backend too, so that nothing is fetched that is not pinned.
$(READY): requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Tuilerie needs Python 3.11 or newer, and '$(PYTHON)' is not:" \
			"$$($(PYTHON) --version 2>&1)." >&2; \
		echo "Name another one, for example: make setup PYTHON=python3.12" >&2; exit 1; }
	@echo "Setting up .venv …"
	@test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	@$(PIP) install --no-deps --require-hashes --requirement requirements-dev.lock
	@$(PIP) install --no-build-isolation --no-deps --editable .
	@touch $@

$(UV):
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip --disable-pip-version-check --quiet install uv==$(UV_VERSION)
