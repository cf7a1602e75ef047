# All tasks of the project. `make help` lists them.
# Needs make, git and Python 3.11 or newer with venv; everything else is installed into .venv.

PYTHON ?= python3
BIN := .venv/bin
COMMAND := $(BIN)/tuilerie
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input

# .venv holds either the packages for playing or all development packages. Development packages are never
# reduced: the result would mix two locks.
PLAY := .venv/play
DEV := .venv/dev
PACKAGES := $(if $(wildcard $(DEV)),$(DEV),$(PLAY))

# The locks are complete, so pip resolves nothing: a new release of a package cannot change the result.
INSTALL := $(PIP) install --progress-bar off --no-deps --require-hashes --requirement

# One line per step; the output goes to build/log. Only `make play` numbers its steps.
STEP = $(if $(wildcard $(BIN)/pip),$(BIN)/python,$(PYTHON)) scripts/step.py \
	"$(if $(STEPS),[$(1)/$(STEPS)] )$(2)"

UV := build/lock/bin/uv
UV_VERSION := 0.13.7
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-header --no-annotate --no-emit-index-url $(if $(UPGRADE),--upgrade) \
	pyproject.toml
LIKE_DEV := --constraint requirements-dev.lock

# More than cores: tests wait for servers, pages and disks.
WORKERS := 3
BROWSERS := 4
BESIDE := --no-print-directory --keep-going --output-sync=line --jobs=2 TOGETHER=1
SPREAD = -n $(WORKERS) --dist worksteal -rs --durations 20
RULES := tests/games
# Real servers and browsers on a busy machine: a failed test runs once more, and the summary names it.
RETRY := --reruns 1 -rR
RETRY_BROWSER := --reruns 2 --reruns-delay 1 -rR

# Where PYTHONDONTWRITEBYTECODE is set, each program that a test starts would recompile all modules.
unexport PYTHONDONTWRITEBYTECODE

LEVELS := clay,terracotta,glaze,faience,porcelain
LADDER_GAMES ?= 800
GROWTH ?= 0,20000,1000000
LADDER = $(BIN)/tuilerie arena --neighbours --games $(LADDER_GAMES) --no-records

.DEFAULT_GOAL := help
ifndef TOGETHER
.NOTPARALLEL:
endif
.PHONY: help setup web core engine sanitized site serve-site play check test lint types rules fast tests browser servers client proof bench \
	bench-server bench-growth bench-bots audit ladder net ray docs lock golden shots figures clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(DEV) $(COMMAND)  ## Create .venv with all development packages and the `tuilerie` command
	@:

play: STEPS := 4
play: web core  ## Install what it takes to play, and play in the browser
	@$(COMMAND) serve --open --log-level warning

web: $(COMMAND)  ## Build the web client into the package
	@$(call STEP,3,Web client) -- $(BIN)/python hatch_build.py

core: $(COMMAND)  ## Compile the core into the package
	@$(call STEP,4,Compiled core) -- $(BIN)/python native/build.py

engine: setup  ## Build what a browser needs to play without a server (minutes, the first time)
	@$(call STEP,,Engine for browsers) -- $(BIN)/python hatch_build.py engine

sanitized: core  ## Compile the core once more, with sanitizers, for its tests
	@$(call STEP,,Core with sanitizers) -- $(BIN)/python native/build.py \
		--sanitize address,undefined --into build/sanitized

SITE ?= build/site
site: web engine  ## Write a static site, which needs no server, into build/site
	@$(COMMAND) site $(SITE)

serve-site: site  ## Serve that site on this machine
	@echo "http://127.0.0.1:8090/"; $(BIN)/python -m http.server --bind 127.0.0.1 --directory $(SITE) 8090

check: setup core  ## Run the fast checks while you work: lint, types, rules, fast tests
	@$(MAKE) $(BESIDE) --jobs=3 lint types fast

# First the checks that use one core each, two at a time; their output is shown when they have ended. The other
# tests use both cores by themselves; those in a browser beside the others took longer, and timed out.
test: setup web core engine sanitized servers  ## Run every check: lint, types, the client's tests, all tests (one builds the docs)
	@$(MAKE) $(BESIDE) client types rules lint; checked=$$?; \
		$(MAKE) --no-print-directory --keep-going tests browser && exit $$checked

lint: setup  ## Check style and formatting
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: setup core  ## Check the types
	$(BIN)/mypy

client: web  ## Check and test the web client
	@$(BIN)/python hatch_build.py check

servers:  ## Install PostgreSQL, Redis and Chromium for the tests, if possible
	@scripts/test-servers

# Branch coverage halves the speed of the rules, so only the tests of the rules measure it.
rules: setup core  ## Run the tests of the rules, which must cover 100 % of their branches
	$(BIN)/pytest -rs --durations 20 $(RULES) --cov --cov-branch --cov-fail-under=100

tests: setup web core engine sanitized servers  ## Run all other tests, but those in a browser
	$(BIN)/pytest $(SPREAD) $(RETRY) --ignore tests/browser --ignore $(RULES)

# Selected by the marks in the tests (pyproject.toml), not by a list.
fast: setup core  ## Run the tests that are not slow, including those of the rules
	TUILERIE_GAMES=3 $(BIN)/pytest $(SPREAD) -m 'not slow and not proof' --ignore tests/browser

# A separate run: the browser driver and the server tests cannot share an event loop.
browser: WORKERS := $(BROWSERS)  # a page often waits for its server
browser: setup web core engine servers  ## Play whole games in a real browser
	$(BIN)/pytest $(SPREAD) $(RETRY_BROWSER) tests/browser

ray: setup  ## Install Ray, if possible, for arenas on a cluster
	@$(BIN)/python -c 'import ray' 2>/dev/null \
		|| $(call STEP,,Ray) --lock requirements-ray.lock -- $(INSTALL) requirements-ray.lock \
		|| echo "Ray cannot be installed here; the proofs that need it are skipped."

proof: setup web core engine sanitized servers ray  ## Run the long versions of the tests, and print what they prove
	$(BIN)/pytest $(SPREAD) --hypothesis-profile proof -m 'proof or hypothesis' --ignore tests/browser
	$(BIN)/pytest $(SPREAD) $(RETRY_BROWSER) -m proof tests/browser

bench: setup core  ## Run the benchmarks of both engines
	@$(BIN)/python benchmarks

net: setup  ## Train the networks of Génial! from nothing (about 35 minutes of CPU time; resumes); SMALL=1: four minutes, for a check
	@$(BIN)/python native/train.py $(if $(SMALL),--small)

ladder: core  ## Measure each level of each game against the next, into build/ladder (half an hour)
	@$(LADDER) genial --bots $(LEVELS)@200n --out build/ladder/genial
	@$(LADDER) genial --bots $(LEVELS)@200n --players 4 --out build/ladder/genial-4
	@$(LADDER) genial --bots faience-0,porcelain-0@3000n,porcelain@200n --out build/ladder/genial-over-time
	@$(LADDER) blockers --bots $(LEVELS)@3500n --out build/ladder/blockers
	@$(LADDER) kaosmos --bots $(LEVELS) --out build/ladder/kaosmos

bench-server: setup core  ## Load-test a server: each game with 2,000 sockets, Blockers! with 5,000, next to an echo server
	@$(BIN)/python benchmarks/server_load.py --seconds 8
	@$(BIN)/python benchmarks/server_load.py --seconds 8 --games blockers --connections 5000 --moves 1000
	@$(BIN)/python benchmarks/loop_steps.py

bench-growth: setup core servers  ## Print what grows with tables, the length of a game, bots and stored games
	@$(BIN)/python benchmarks/growth_play.py
	@$(BIN)/python benchmarks/bots_load.py --tables 1,10,50 --answers 0 --seconds 10
	@$(BIN)/python benchmarks/growth_stored.py --games $(GROWTH)
	@$(BIN)/python benchmarks/growth_stored.py --games $(GROWTH) --postgresql

audit:  ## Compare the locks with a file of known vulnerabilities: make audit OSV=all.zip
	@$(PYTHON) scripts/audit.py $(OSV)

bench-bots: setup core servers  ## Measure bots under load, bot workers, two nodes, and 100,000 tables
	@$(BIN)/python benchmarks/bots_load.py --arena 200
	@$(BIN)/python benchmarks/worker_load.py
	@$(BIN)/python benchmarks/nodes_load.py
	@$(BIN)/python benchmarks/many_tables.py

docs: setup core  ## Build the documentation into docs/_build/html
	$(BIN)/sphinx-build -q -W -E -a -d docs/_build/doctrees docs docs/_build/html

shots: setup web core engine servers  ## Take screenshots of every screen into build/shots
	$(BIN)/python -m tests.browser.shots

figures: setup web core engine servers  ## Print the size, loading time and frame rate of the client
	@$(BIN)/python -m tests.browser.figures

golden: setup  ## Regenerate the golden playthroughs; review the diff before you commit it
	$(BIN)/python -m tests.playthroughs

# Pins stay if pyproject.toml still allows them. The small locks follow the large one.
lock: $(UV)  ## Pin the dependencies of pyproject.toml; with UPGRADE=1, their newest versions
	$(COMPILE) --extra build --extra engine --extra dev --output-file requirements-dev.lock
	$(COMPILE) $(LIKE_DEV) --output-file requirements.lock
	$(COMPILE) $(LIKE_DEV) --extra build --output-file requirements-play.lock
	$(COMPILE) $(LIKE_DEV) --extra ray --output-file requirements-ray.lock

clean:  ## Remove build products, except .venv
	rm -f src/tuilerie/native/*.so src/tuilerie/native/.stamp
	rm -rf build dist docs/_build .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests docs -name __pycache__ -prune -exec rm -rf {} +

$(PLAY): requirements-play.lock
	$(call INSTALLED,Packages)

$(DEV): requirements-dev.lock
	$(call INSTALLED,Packages to play and to test)
	@touch $(PLAY)

# Recreate an incomplete virtual environment.
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

# The build backend is in the lock: this downloads nothing.
$(COMMAND): pyproject.toml $(PACKAGES)
	@$(call STEP,2,Tuilerie) -- sh -ec '\
		$(PIP) install --no-build-isolation --no-deps --editable .; $(PIP) check'
	@touch $@

$(UV):
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip --disable-pip-version-check --quiet install uv==$(UV_VERSION)
