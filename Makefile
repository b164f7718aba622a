# Two commands do everything: `make run` starts the demo, `make test` checks the project.
# Both install what is missing; nothing else is needed on a fresh machine with Rust and Node.

SHELL := /bin/bash
CARGO ?= cargo
WORLD ?=
TARGET := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)
RETAKE := $(TARGET)/debug/retake

.PHONY: help run test build-tested setup setup-web setup-browser check check-web test-rust test-web test-scenarios test-browser bench screenshots

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-16s %s\n", $$1, $$2 }'

run: ## Build, start the demo and print the page's address (WORLD=worlds/arm.sdf for another)
	$(CARGO) run -p retake -- run $(WORLD)

test: setup check check-web test-rust test-web test-scenarios test-browser ## Run all checks and tests
	@echo "All checks and tests passed"

setup: setup-web setup-browser

setup-web:
	@command -v npm > /dev/null || { echo "npm is missing: install Node.js 20 or newer"; exit 1; }
	@cmp -s web/package-lock.json web/node_modules/.installed-lock.json || (cd web && npm ci --no-audit --no-fund)

setup-browser:
	@command -v chromium > /dev/null || { \
		if [ "$$(id -u)" = 0 ]; then apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y chromium; \
		else echo "Chromium is missing for the browser tests: run  sudo apt-get install chromium"; exit 1; fi; }

check: ## Format and lints of the Rust code
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

check-web: setup-web ## Types, lints and import cycles of the page
	cd web && npm run --silent check

test-rust: ## Tests of the crates
	@if $(CARGO) nextest --version > /dev/null 2>&1; \
		then $(CARGO) nextest run --workspace --no-fail-fast; \
		else $(CARGO) test --workspace --no-fail-fast --lib --bins --tests; fi
	$(CARGO) test --workspace --doc --quiet

test-web: setup-web ## Tests of the page's models
	cd web && npm test --silent

# The binary as the tests have built it: asking for it alone would resolve the features of shared
# dependencies anew and build them a second time.
build-tested:
	$(CARGO) test --workspace --no-run --quiet

test-scenarios: build-tested ## Scenarios: worlds, commands and what must come of them
	$(RETAKE) scenario scenarios/*.scenario

test-browser: setup build-tested ## Journeys through the page in a real browser
	cd web && RETAKE_BIN=$(abspath $(RETAKE)) npm run --silent e2e

bench: ## Benchmarks, in an optimised build
	$(CARGO) run --release -p retake -- bench step

screenshots: setup build-tested ## Take the pictures of the guide anew
	cd web && RETAKE_SHOTS=1 RETAKE_BIN=$(abspath $(RETAKE)) npm run --silent e2e
