# Two commands do everything: `make demo` and `make test`. Each works from a bare clone.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# Part of a test's time is waiting for other processes: three workers keep two cores busy.
WORKERS ?= $(shell $(PYTHON) -c 'import os; n = os.cpu_count() or 1; print(n + (n + 1) // 2)')
# TORCH=0 leaves torch out; the parity tests then say that they were skipped, and why.
TORCH  ?= 1

.PHONY: demo test lint bench build clean

demo: $(VENV)/.installed
	$(BIN)/python -m attnlab.grading.demo

test: $(VENV)/.installed $(VENV)/.torch $(VENV)/.pyodide lint
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check exercises solutions

bench: $(VENV)/.installed
	$(BIN)/python benchmarks/attention.py
	$(BIN)/python benchmarks/engine.py

build: $(VENV)/.installed
	$(BIN)/attnlab build

$(VENV)/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "attnlab needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Say which to use: make PYTHON=python3.12 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[notebook,grading,postgres,scale,author,web,test]'
	touch $@

$(VENV)/.torch: $(VENV)/.installed
	@if [ "$(TORCH)" != 1 ]; then echo "torch is left out (TORCH=$(TORCH)): the parity tests will be skipped."; \
	elif $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[torch]'; then touch $@; \
	else echo "torch cannot be installed here: the parity tests will be skipped."; fi

$(VENV)/.pyodide: $(VENV)/.installed
	@if $(BIN)/python -c 'from attnlab.web import runtime; runtime.obtain()' 2>/dev/null; then touch $@; \
	else echo "Python for the browser cannot be had here: the tests of the web pages will be skipped."; fi

clean:
	rm -rf .demo .pytest_cache .ruff_cache .hypothesis
