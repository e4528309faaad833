# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
CASES ?= 20000
SEED ?= 1

.PHONY: demo app screenshots bench-app docs docs-serve test test-fast test-portable fuzz lint format bench release clean

demo: $(VENV)/.installed
	$(BIN)/klingel demo

# the workbench in a browser
app: $(VENV)/.app
	$(BIN)/klingel app

# pictures of every page for the documentation; needs chromium
screenshots: $(VENV)/.dev
	$(BIN)/python -m tests.app.web.screenshots

# how quick the workbench is; needs chromium
bench-app: $(VENV)/.dev
	$(BIN)/python -m tests.app.web.bench

# the documentation site in site/, offline; pictures of the gallery are computed once for each state of the package
docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "the site is in site/index.html"

# the same while it is written, at http://127.0.0.1:8000
docs-serve: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve --no-strict

# compile once before the workers start, or each of them would
test: $(VENV)/.dev
	$(BIN)/klingel warm-up
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

test-fast: $(VENV)/.dev
	$(BIN)/klingel warm-up
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow"

# the fast tests as other processors would compute them; VARIANTS=generic for one of them
test-portable: $(VENV)/.dev
	PYTHON=$(BIN)/python WORKERS=$(WORKERS) .ci/portable $(VARIANTS)

# twenty thousand changed inputs; the tests have two thousand of another seed
fuzz: $(VENV)/.dev
	$(BIN)/klingel warm-up
	$(BIN)/python -m tests.fuzz --cases $(CASES) --seed $(SEED) --workers $(WORKERS)

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# sdist and wheel in dist/, the wheel tried in a fresh environment outside the repository
release:
	PYTHON=$(PYTHON) .ci/release

bench: $(VENV)/.bench
	$(BIN)/klingel bench

$(VENV)/.installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

$(VENV)/.docs: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	touch $@

$(VENV)/.app: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable ".[app]"
	touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .cache site
