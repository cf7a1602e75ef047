# All that is done with this project, by name. `make help` lists it.
# Needed: make, git and Python 3.11 or newer with venv; the rest goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
COMMAND := $(BIN)/tuilerie
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input

# What .venv holds: all that is needed to play, or all that is needed to work on it as well. Where
# there is the latter, it is kept whole: half of it would be of another lock.
PLAY := .venv/play
DEV := .venv/dev
PACKAGES := $(if $(wildcard $(DEV)),$(DEV),$(PLAY))

# The locks are complete: pip is to resolve nothing, so no release elsewhere can change what it does.
INSTALL := $(PIP) install --progress-bar off --no-deps --require-hashes --requirement

# One line for one step; all that it prints goes to build/log. Only `make play` counts its steps.
STEP = $(if $(wildcard $(BIN)/pip),$(BIN)/python,$(PYTHON)) scripts/step.py \
	"$(if $(STEPS),[$(1)/$(STEPS)] )$(2)"

UV := build/lock/bin/uv
UV_VERSION := 0.13.7
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-header --no-annotate --no-emit-index-url $(if $(UPGRADE),--upgrade) \
	pyproject.toml
LIKE_DEV := --constraint requirements-dev.lock

SPREAD := -n 2 --dist worksteal -rs --durations 20
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

setup: $(DEV) $(COMMAND)  ## Make .venv with all that is needed to work on it, and the command in it
	@:

play: STEPS := 4
play: web core  ## Install what it takes to play, and play in the browser; its address is printed
	@$(COMMAND) serve --open --log-level warning

web: $(COMMAND)  ## Build the web client into the package
	@$(call STEP,3,Web client) -- $(BIN)/python hatch_build.py

core: $(COMMAND)  ## Compile the fast core into the package
	@$(call STEP,4,Compiled core) -- $(BIN)/python native/build.py

# What keeps one core busy goes side by side; the tests use two cores by themselves.
test: setup web core  ## Run every check: lint, types, the client's tests, all tests (one builds the docs)
	@$(MAKE) --no-print-directory --keep-going --jobs=2 TOGETHER=1 lint types client; checked=$$?; \
		$(MAKE) --no-print-directory --keep-going tests browser && exit $$checked

lint: setup  ## Check style and formatting
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: setup core  ## Check the types
	$(BIN)/mypy

client: web  ## Check and test the web client
	@$(BIN)/python hatch_build.py check

servers:  ## Install PostgreSQL, Redis and Chromium for the tests that need them, where possible
	@scripts/test-servers

# Watching every branch makes the rules half as fast: only the tests that are there to cover them pay.
tests: setup web core servers  ## Run the tests; the rules must be covered whole, branch by branch
	$(BIN)/pytest $(SPREAD) $(COVERING) --cov --cov-branch --cov-fail-under=100
	$(BIN)/pytest $(SPREAD) --ignore tests/browser $(addprefix --ignore ,$(COVERING))

# In a run of its own: what drives the browser and what tests the server cannot share an event loop.
browser: setup web core servers  ## Play whole games in a real browser
	$(BIN)/pytest $(SPREAD) tests/browser

ray: setup  ## Install Ray, where possible: for arenas on a cluster, and their proof
	@$(BIN)/python -c 'import ray' 2>/dev/null \
		|| $(call STEP,,Ray) --lock requirements-ray.lock -- $(INSTALL) requirements-ray.lock \
		|| echo "Ray cannot be installed here; the proofs that need it are left out."

proof: setup core servers ray  ## Run the slow proofs: many random games, deep move counts
	$(BIN)/pytest $(SPREAD) -m proof

bench: setup core  ## Run the benchmarks of both engines, beside others
	@$(BIN)/python benchmarks

ladder: core  ## Measure each level of each game against the next, into build/ladder (half an hour)
	@$(LADDER) genial --bots $(LEVELS)@3000n --out build/ladder/genial
	@$(LADDER) blockers --bots $(LEVELS)@3500n --out build/ladder/blockers
	@$(LADDER) kaosmos --bots $(LEVELS) --out build/ladder/kaosmos

bench-server: setup core  ## Load a server with thousands of sockets, beside a bare echo
	@$(BIN)/python benchmarks/server_load.py --rounds 3

docs: setup core  ## Build the documentation into docs/_build/html
	$(BIN)/sphinx-build -q -W -E -a -d docs/_build/doctrees docs docs/_build/html

shots: setup web core servers  ## Take pictures of every screen into build/shots
	$(BIN)/python -m tests.browser.shots

figures: setup web core servers  ## Print how small, quick and smooth the client is
	@$(BIN)/python -m tests.browser.figures

golden: setup  ## Write the golden playthroughs anew; read the difference before you commit it
	$(BIN)/python -m tests.playthroughs

# Pins stay as they are where pyproject.toml still allows them. The small locks follow the large one.
lock: $(UV)  ## Pin what pyproject.toml asks for; with UPGRADE=1, the newest versions that it allows
	$(COMPILE) --extra build --extra dev --output-file requirements-dev.lock
	$(COMPILE) $(LIKE_DEV) --output-file requirements.lock
	$(COMPILE) $(LIKE_DEV) --extra build --output-file requirements-play.lock
	$(COMPILE) $(LIKE_DEV) --extra ray --output-file requirements-ray.lock

clean:  ## Remove what was built, except .venv
	rm -f src/tuilerie/native/*.so src/tuilerie/native/.stamp
	rm -rf build dist docs/_build .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests docs -name __pycache__ -prune -exec rm -rf {} +

$(PLAY): requirements-play.lock
	$(call INSTALLED,Packages)

$(DEV): requirements-dev.lock
	$(call INSTALLED,Packages to play and to test)
	@touch $(PLAY)

# A virtual environment that was left half made is made anew.
define INSTALLED
	@$(BIN)/python -m pip --version >/dev/null 2>&1 \
		|| $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Tuilerie needs Python 3.11 or newer, and '$(PYTHON)' is not:" \
			"$$($(PYTHON) --version 2>&1)." >&2; \
		echo "Name another one, for example: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(call STEP,1,$(1)) --lock $< -- sh -ec '\
		$(BIN)/python -m pip --version || $(PYTHON) -m venv --clear .venv; \
		$(INSTALL) $<; $(PIP) check'
	@touch $@
endef

# The build backend is in the lock: nothing is fetched here.
$(COMMAND): pyproject.toml $(PACKAGES)
	@$(call STEP,2,Tuilerie) -- sh -ec '\
		$(PIP) install --no-build-isolation --no-deps --editable .; $(PIP) check'
	@touch $@

$(UV):
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip --disable-pip-version-check --quiet install uv==$(UV_VERSION)
