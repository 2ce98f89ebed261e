# Needs only Python 3.11 or later (with venv) and make.

PYTHON ?= $(or $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; \
	do $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done),python3)
BIN := .venv/bin
UV := $(BIN)/uv
# Named after this folder, so that a copied or moved clone builds its own environment.
HERE := $(shell pwd | cksum | cut -d ' ' -f 1)
VENV := .venv/venv-$(HERE)
READY := .venv/ready-$(HERE)
PAGES := src/croupier/web/pages/index.html
PAGES_READY := pages/node_modules/.package-lock.json
PAGES_CHECKED := pages/node_modules/.checked
PAGE_SOURCES := $(shell find pages -name node_modules -prune -o -type f -print)
# Node 20.19 or later from the PATH; else the one that $(NODE_READY) has installed.
NODE_READY := .venv/node-$(HERE)
# Many tests wait for a process of their own: one worker more than there are processors.
WORKERS := $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
# What runs side by side prints one after the other, where make can have it so.
APART := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
RELEASE := .venv/release-$(HERE)/bin
RELEASE_READY := .venv/release-$(HERE)/ready
# Where known vulnerabilities are asked for.
VULNERABILITIES := https://api.osv.dev/v1/vulns/PYSEC-2014-14
NPM := cd pages && PATH="$(CURDIR)/$(BIN):$$PATH" npm
COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command 'make lock'

# uv brings certificates of its own; the system's also know a company's proxy.
ifndef SSL_CERT_FILE
export UV_SYSTEM_CERTS ?= 1
else
export PIP_CERT ?= $(SSL_CERT_FILE)
endif
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Images of containers set it: every start of a program would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE
# Node, too, brings certificates of its own, and is told of the system's.
export NODE_EXTRA_CA_CERTS ?= $(or $(SSL_CERT_FILE),$(wildcard /etc/ssl/certs/ca-certificates.crt))

.DEFAULT_GOAL := help
.PHONY: help play pages generated browser proxy compiler lint test test-fast test-all-pythons check format docs benchmark soak gpu audit \
	release lock clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' Makefile

play: $(READY) $(PAGES) ## open the demonstration house and print its address
	@$(BIN)/croupier serve --demonstration --log-level warning

pages: $(PAGES) ## build the pages into the package, if their sources changed

generated: $(READY) $(PAGES_READY) ## write again what comes from the code: clause table, docs, page types, conformance vectors
	$(BIN)/python -m tools.clause_sources
	$(BIN)/python -m tools.docs.generated
	$(BIN)/python -m tools.drawings
	$(BIN)/python -m tools.page_types
	$(BIN)/python -m tools.conformance

# Types take a processor for as long as the pages do; a wrong import ends here, in one line.
test: $(READY) browser proxy compiler ## lint, types, import contracts and all tests
	@$(MAKE) --no-print-directory --jobs=2 $(APART) lint $(PAGES) $(PAGES_CHECKED)
	$(BIN)/pytest -n $(WORKERS) --dist worksteal --ignore=tests/e2e
	$(BIN)/pytest -n $(WORKERS) --dist worksteal tests/e2e

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test-fast: $(READY) ## lint, types, golden tables, transcripts and the tests of what you changed
	$(BIN)/ruff check
	$(BIN)/mypy
	@git diff --quiet HEAD -- pages || $(MAKE) --no-print-directory $(PAGES_CHECKED)
	@$(BIN)/python -m tools.fast_tests

# In clones of the last commit, one after the other: each has an environment of its own.
PYTHONS ?= python3.11 python3.12 python3.13 python3.14
test-all-pythons: ## run `make test` with each supported Python that is here; name those that are not
	@passed=; failed=; missing=; for python in $(PYTHONS); do \
		$$python -c '' 2>/dev/null || { missing="$$missing $$python"; continue; }; \
		folder=build/$$(basename $$python); rm -rf $$folder && git clone -q . $$folder && \
		$(MAKE) -C $$folder test PYTHON=$$python \
			&& passed="$$passed $$python" || failed="$$failed $$python"; done; \
	echo "passed:$${passed:- none}; failed:$${failed:- none}; not here:$${missing:- none}"; \
	test -n "$$passed" && test -z "$$failed"

check: test docs audit ## what `make test` does, then format, docs and known vulnerabilities
	$(BIN)/ruff format --check

format: $(READY) ## format the code and sort its imports
	$(BIN)/ruff check --select I --fix
	$(BIN)/ruff format

docs: $(READY) ## build the documentation into site/
	$(BIN)/python -m tools.docs.site
	$(BIN)/zensical build --clean --strict

benchmark: $(READY) $(PAGES) browser ## run every script in benchmarks/, then print how long each took
	@table=; for script in benchmarks/*.py; do \
		echo "== $$script"; began=$$(date +%s); $(BIN)/python "$$script" || exit 1; \
		table="$$table$$(printf '%-40s %6d s' "$$script" $$(($$(date +%s) - began)))\n"; \
	done; printf "\n$$table"

soak: $(READY) ## explore rules and plans, crash, attack and simulate a house for long; SOAK=minutes
	$(BIN)/python -m tools.soak.exploration
	$(BIN)/python -m tools.soak.figures
	$(BIN)/python -m tools.soak.crash
	$(BIN)/python -m tools.soak.flips
	$(BIN)/python -m tools.soak.faults
	$(BIN)/python -m tools.soak.nodes
	$(BIN)/python -m tools.soak.security --minutes $(or $(SOAK),10)
	$(BIN)/python -m tools.soak.wheel
	$(BIN)/python -m tools.soak.simulator --minutes $(or $(SOAK),10)
	$(BIN)/python -m tools.soak.best_play --minutes $(or $(SOAK),10)
	$(BIN)/python -m tools.soak.report --minutes $(or $(SOAK),10)
	$(BIN)/python -m tools.soak.simulation --minutes $(or $(SOAK),10)

gpu: $(READY) ## hold the GPU engine against the plain one; needs a CUDA device
	$(UV) pip install --quiet --python $(BIN)/python --editable '.[gpu]'
	$(BIN)/python -m tools.gpu_check

audit: $(RELEASE_READY) ## look for known vulnerabilities of what is locked, if they can be asked for
	@if $(BIN)/python -c 'from urllib.request import urlopen; urlopen("$(VULNERABILITIES)", timeout=10)' \
		2>/dev/null; then $(RELEASE)/pip-audit --progress-spinner off --disable-pip \
			--vulnerability-service osv --require-hashes --requirement requirements-server.lock; \
	else echo "not audited: $(VULNERABILITIES) can't be reached"; fi

release: $(RELEASE_READY) $(NODE_READY) ## build wheel and sdist twice, from the last commit, with hashes and an SBOM
	rm -rf dist build/release
	@commit=$$(git rev-parse HEAD); \
	export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct $$commit) PATH="$(CURDIR)/$(BIN):$$PATH"; \
	for turn in first second; do mkdir -p build/release/$$turn && \
		git archive $$commit | tar -x -C build/release/$$turn && (cd build/release/$$turn && \
		python -m hatchling build --directory $(CURDIR)/build/release/$$turn.dist) || exit 1; done
	diff -r build/release/first.dist build/release/second.dist
	mv build/release/first.dist dist
	@$(UV) venv --quiet --python $(BIN)/python build/release/installed
	@$(UV) pip sync --quiet --python build/release/installed/bin/python --require-hashes \
		requirements-server.lock
	@$(UV) pip install --quiet --python build/release/installed/bin/python --no-deps dist/*.whl
	$(RELEASE)/cyclonedx-py environment --output-reproducible \
		--output-file dist/croupier.cdx.json build/release/installed/bin/python
	@$(NPM) sbom --package-lock-only --sbom-format cyclonedx > $(CURDIR)/dist/croupier-pages.cdx.json
	@if [ -n "$(RELEASE_KEY)" ]; then build/release/installed/bin/croupier version \
		--sign released $(RELEASE_KEY) $(RELEASE_NAME) > dist/croupier.note; \
	else echo "not signed: RELEASE_KEY names no key"; fi
	cd dist && sha256sum * > SHA256SUMS && cat SHA256SUMS

lock: $(VENV) ## write the locks again; LOCK=--upgrade takes the newest versions
	$(COMPILE) $(LOCK) --group bootstrap --output-file requirements-bootstrap.lock
	$(COMPILE) $(LOCK) pyproject.toml --output-file requirements.lock
	$(COMPILE) $(LOCK) pyproject.toml --extra server --extra postgresql \
		--constraint requirements.lock --output-file requirements-server.lock
	$(COMPILE) $(LOCK) --group release --output-file requirements-release.lock
	$(COMPILE) $(LOCK) pyproject.toml --extra dev --constraint requirements.lock \
		--output-file requirements-dev.lock
	$(COMPILE) $(LOCK) --group pages --output-file requirements-pages.lock

clean: ## remove everything that was built
	rm -rf .venv .cache .coverage* .hypothesis .import_linter_cache .mypy_cache \
		.pytest_cache .ruff_cache .schemathesis build dist site pages/node_modules src/croupier/web/pages
	find src tests tools benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

$(VENV): requirements-bootstrap.lock
	@command -v $(PYTHON) >/dev/null 2>&1 || { echo >&2 \
		"croupier needs Python 3.11 or later, and there is no $(PYTHON) here."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo >&2 \
		"croupier needs Python 3.11 or later, and $(PYTHON) is $$($(PYTHON) -V 2>&1)."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo >&2 \
		"croupier needs Python's venv module with pip, which $(PYTHON) lacks" \
		"(on Debian and Ubuntu: apt-get install python3-venv)."; exit 1; }
	@echo "Setting up .venv ..."
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install -qq --require-hashes -r $< || { echo >&2 \
		"croupier could not fetch uv: pip must be able to reach a package index."; exit 1; }
	@touch $@

$(READY): $(VENV) requirements-dev.lock pyproject.toml
	@cache=$$($(UV) cache dir); mkdir -p "$$cache" 2>/dev/null && [ -w "$$cache" ] \
		|| export UV_NO_CACHE=1; \
	install() { \
		$(UV) pip sync --quiet --python $(BIN)/python --require-hashes \
			requirements-bootstrap.lock requirements-dev.lock && \
		$(UV) pip install --quiet --python $(BIN)/python --no-deps \
			--no-build-isolation --editable .; }; \
	install || { echo >&2 "Trying again with uv's own certificates ..."; \
		UV_SYSTEM_CERTS=0 install; } || { echo >&2 \
		"croupier could not be installed into .venv: uv says above what is wrong."; exit 1; }
	@touch $@

$(RELEASE_READY): $(READY) requirements-release.lock
	@$(UV) venv --quiet --clear --python $(BIN)/python $(@D)
	@$(UV) pip sync --quiet --python $(RELEASE)/python --require-hashes requirements-release.lock
	@touch $@

$(NODE_READY): $(READY) $(wildcard requirements-pages.lock)
	@node -e '[a, b] = process.versions.node.split("."); process.exit(+(a * 100 + +b < 2019))' \
		2>/dev/null && command -v npm >/dev/null || \
		$(UV) pip install --quiet --python $(BIN)/python --require-hashes \
			-r requirements-pages.lock || { echo >&2 \
		"the pages need Node 20.19 or later, and it could not be installed."; exit 1; }
	@touch $@

$(PAGES_READY): pages/package-lock.json | $(NODE_READY)
	@$(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

$(PAGES): $(PAGES_READY) $(PAGE_SOURCES)
	@$(NPM) run --silent build -- --logLevel warn

# The tests of the pages run in a real browser; what is missing comes from Debian. Its shell
# without windows does the same for a quarter less time, where Debian has it.
APT := DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends
browser:
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& echo "Installing chromium ..." && apt-get update -qq \
		&& $(APT) chromium fonts-dejavu-core fonts-noto-cjk >/dev/null \
		&& { $(APT) chromium-headless-shell >/dev/null || true; }; } || { echo >&2 \
		"the tests of the pages need chromium on the PATH: please install it."; exit 1; }

# Nodes are tested behind the proxy that their configuration is for.
proxy:
	@command -v haproxy >/dev/null || [ -x /usr/sbin/haproxy ] || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& echo "Installing haproxy ..." && apt-get update -qq \
		&& $(APT) haproxy >/dev/null; } || { echo >&2 \
		"the tests of several nodes need haproxy on the PATH: please install it."; exit 1; }

# One example of the conformance suite is an engine in C.
compiler:
	@command -v cc >/dev/null || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& echo "Installing a C compiler ..." && apt-get update -qq \
		&& $(APT) gcc libc6-dev >/dev/null; } || { echo >&2 \
		"the example engine in C needs a C compiler on the PATH: please install it."; exit 1; }

$(PAGES_CHECKED): $(PAGES_READY) $(PAGE_SOURCES)
	$(NPM) run --silent check
	$(NPM) test --silent
	@touch $@
