# make run · test · check · all · audit · bench · soak · sanitize · fuzz · docs · atlas · notebooks · words — each sets up what it needs in .venv
PYTHON ?= python3
BIN := .venv/bin
# The tests start many programs, each of which would compile the sources anew.
export PYTHONDONTWRITEBYTECODE :=
LOCK := -c constraints.txt
CORE := $(wildcard cpp/*/*.h cpp/*/*.cpp CMakeLists.txt)
QUICK := tests/engine tests/games tests/i18n tests/solver tests/server/test_table.py tests/test_house.py

.PHONY: run test check all bench soak docs atlas notebooks words sanitize fuzz clean

run: .venv/play.stamp ## play at http://127.0.0.1:8000 with an embedded database
	$(BIN)/nousu serve

# A test that hangs for five minutes fails: it ends its process, which tells where it stood. No test is tried twice,
# but a run that stands still (tests/support/watchdog.py) begins once more.
TESTS = $(BIN)/pytest -n 4 --dist worksteal -m "not slow" -o faulthandler_timeout=300 -o faulthandler_exit_on_timeout=true
test: .venv/test.stamp browser style ## style, types, rules, laws, server, browser, solver, tournaments: eight minutes
	$(TESTS) || { [ $$? = 75 ] && $(TESTS); }

# At the end ten million actions by the Python rules and the core in step, half an hour of one core.
all: .venv/test.stamp browser style sanitize audit ## the long forms too, new examples, coverage and sanitizers: before a release
	$(BIN)/pytest -n 3 --dist worksteal --cov=src/nousu --hypothesis-profile=random
	NOUSU_LOCKSTEP=3334000 $(BIN)/pytest -n 2 -m slow tests/env/test_lockstep.py

check: .venv/test.stamp style ## the quick loop, under a minute
	$(BIN)/pytest -n 2 -m "not slow and not browser" $(QUICK)

# pip-audit comes when it can; without it or a connection the audit says what was not looked up.
.PHONY: audit
audit: .venv/test.stamp ## known faults of packages, licences, secrets left in files
	@$(BIN)/pip install -q $(LOCK) --group audit || echo "pip-audit cannot be installed from here"
	$(BIN)/python -m tools.audit

.PHONY: style
style: .venv/test.stamp
	$(BIN)/ruff check src tests bench tools
	$(BIN)/codespell src tests bench tools docs cpp packaging README.md CONTRIBUTING.md CHANGELOG.md
	$(BIN)/clang-format --dry-run --Werror $(filter %.h %.cpp,$(CORE))
	$(BIN)/mypy

bench: .venv/bench.stamp ## figures of engine, environments, solver, players, tournaments and server
	$(BIN)/python -m bench

soak: .venv/test.stamp ## the server under load, broken off and stopped; then every promise in its long form: hours
	$(BIN)/python -m bench.load --tables 500 --watchers 500 --rate 250 --seconds 600
	$(BIN)/python -m bench.soak
	NOUSU_SOAK=1 $(BIN)/pytest -n 2 -m promise

sanitize: .venv/test.stamp ## the compiled core under ASan, UBSan and TSan
	cpp/sanitize.sh

# So many inputs; needs clang and its sanitizers (Debian: clang libclang-rt-14-dev).
RUNS ?= 10000000
fuzz: ## look for bytes that break the compiled core, under ASan and UBSan
	cpp/fuzz.sh $(RUNS)

docs: .venv/docs.stamp ## write the rule pages, the clause table and the figures, then build the site in build/site
	$(BIN)/python -m tools.trace_clauses
	$(BIN)/python tools/results_pages.py
	$(BIN)/mkdocs build --quiet --strict

# So many deals; what build/atlas holds is not solved again, and an interrupted run goes on.
RAMI ?= 100000
NOLO ?= 10000
HIDDEN ?= 1000
atlas: .venv/play.stamp ## solve deals into build/atlas; the tables, and with them the page of the site, come from them
	$(BIN)/python -m tools.atlas make build/atlas --rami $(RAMI) --nolo $(NOLO) --hidden $(HIDDEN)
	cp build/atlas/tables.json tools/atlas/

notebooks: .venv/test.stamp ## run the notebooks of docs/research/notebooks, and keep what they show in them
	$(BIN)/python packaging/notebooks.py

words: .venv/test.stamp ## collect the messages into the catalogues
	$(BIN)/python -m tools.collect_messages

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Nousu needs Python 3.11 or newer; set PYTHON=/path/to/it")'
	$(PYTHON) -m venv .venv

# What playing and hosting needs comes by its hashes (requirements.lock says how that was made); a mirror that
# builds its own wheels needs HASHES= on the command line. The package itself is built here.
HASHES ?= --require-hashes
.venv/play.stamp: .venv/bin/python pyproject.toml constraints.txt requirements.lock $(CORE)
	$(BIN)/pip install -q "pip>=25.1"
	$(BIN)/pip install -q $(HASHES) -r requirements.lock
	$(BIN)/pip install -q --no-deps -e .
	@touch $@

.venv/test.stamp: .venv/play.stamp
	$(BIN)/pip install -q $(LOCK) --group test
	@touch $@

.venv/bench.stamp: .venv/test.stamp
	$(BIN)/pip install -q $(LOCK) --group bench
	@touch $@

.venv/docs.stamp: .venv/test.stamp
	$(BIN)/pip install -q $(LOCK) --group docs
	@touch $@

.PHONY: browser
APT := DEBIAN_FRONTEND=noninteractive apt-get install -y -qq
browser: # Chromium by apt where that is possible; without it the browser tests say why they did not run
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	  { $(APT) chromium chromium-headless-shell || $(APT) chromium; } >/dev/null; } || \
	  echo "Chromium is not installed: the browser tests will be named as not run"

clean:
	rm -rf .venv build dist
