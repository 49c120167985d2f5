# Lathe: every target is idempotent; a second run does only what has changed. The steps live in build/*.sh.

# The one list of build tags: build, tests and linter use it (.golangci.yml repeats it, `make lint` compares).
TAGS := desktop,production,webkit2_41,sqlite_fts5
export TAGS

STAMPS := build/bin/stamps
FRONTEND := $(shell find frontend -path '*/node_modules' -prune -o -path frontend/dist -prune -o \
	-path frontend/e2e -prune -o -type f -print 2>/dev/null)
# A deleted file changes no date; the list's hash in a stamp's name shows it.
PAGES := $(STAMPS)/pages-$(shell printf '%s\n' $(sort $(FRONTEND)) | sha256sum | cut -c1-16)

.DEFAULT_GOAL := help
.PHONY: help run test bench build setup equipment lint generate clean resources

help: ## Show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18

run: build ## Build and open Lathe; where there is no display, take a tour and leave pictures in build/bin/tour
	@build/run.sh

test: build equipment $(STAMPS)/e2e ## Run every test, linter and check, the end-to-end tests included
	@build/test.sh

bench: build equipment $(STAMPS)/e2e ## Measure into build/bin/bench.json; BENCH="--readme window" adds options and names
	@build/bench/run.sh $(BENCH)

build: setup resources frontend/dist/index.html ## Build build/bin/lathe and everything it ships with
	@build/app.sh

setup: ## Check the toolchains and install the Debian packages that building needs
	@build/setup.sh

equipment: setup
	@build/setup.sh test

lint: equipment $(STAMPS)/npm frontend/dist/index.html ## Run the linters and format checks of every language
	@build/lint.sh

generate: setup $(STAMPS)/npm frontend/dist/index.html ## Generate what is committed: database code, window bindings
	@build/generate.sh

clean: ## Remove what was built here; the shared cache of the user stays
	rm -rf build/bin frontend/dist frontend/node_modules frontend/e2e/node_modules

resources: $(STAMPS)/npm
	@build/ollama/build.sh
	@build/ollama/starter.py
	@build/pyodide/vendor.py
	@build/pyodide/snapshot.sh

$(STAMPS)/npm: frontend/package-lock.json | setup
	@build/npm.sh frontend
	@mkdir -p $(@D) && touch $@

$(STAMPS)/e2e: frontend/e2e/package-lock.json frontend/e2e/automation.c | equipment
	@build/npm.sh frontend/e2e
	@build/e2e.sh automation
	@mkdir -p $(@D) && touch $@

$(PAGES):
	@mkdir -p $(@D) && rm -f $(STAMPS)/pages-* && touch $@

frontend/dist/index.html: $(STAMPS)/npm $(PAGES) $(FRONTEND)
	@echo "frontend: building the window's pages (about 20 s)" >&2
	@cd frontend && npm run --silent build
	@touch $@
