# Two commands do everything: `make run` starts the demo, `make test` checks the project.
# Both install what is missing; nothing else is needed on a fresh machine with Rust and Node.

SHELL := /bin/bash
CARGO ?= cargo
WORLD ?=
TARGET := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)
RETAKE := $(TARGET)/debug/retake
# Engines and loaders that Retake is compared with, and real worlds to load where somebody has them.
PEERS ?= $(TARGET)/peers
CORPUS ?= ../shared/corpus
# Laws are tried on the same generated cases in every run; `make test SEED=7` tries others.
SEED ?= 1
export PROPTEST_RNG_SEED := $(SEED)

.PHONY: help run test build-tested setup setup-web setup-browser check check-web test-rust test-web test-scenarios test-browser bench bench-peers bench-web fuzz soak screenshots test-mujoco setup-mujoco

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

# MuJoCo's library out of its Python package, below the build folder; nothing of it is in the tree.
MUJOCO ?= $(abspath $(TARGET))/mujoco
WITH_MUJOCO = MUJOCO_DYNAMIC_LINK_DIR=$(MUJOCO)/lib LD_LIBRARY_PATH=$(MUJOCO)/lib:$$LD_LIBRARY_PATH

setup-mujoco:
	@command -v python3 > /dev/null || { echo "python3 is missing: run  sudo apt-get install python3-venv"; exit 1; }
	bench/peers/mujoco.sh $(MUJOCO)

test-mujoco: setup-mujoco ## Tests of the engine MuJoCo, whose library it installs below the build folder
	$(WITH_MUJOCO) $(CARGO) test -p retake_physics --features mujoco --lib --test mujoco

bench: ## All benchmarks in one table with their aims, in an optimised build
	$(CARGO) run --release -p retake -- bench all

bench-peers: setup-mujoco ## Retake beside MuJoCo, PyBullet, DART and libsdformat, which it installs below the build folder
	$(WITH_MUJOCO) $(CARGO) build --release -p retake --features mujoco
	bench/peers/setup.sh $(PEERS)
	$(WITH_MUJOCO) python3 -B bench/peers/run.py --retake $(TARGET)/release/retake --peers $(PEERS) --corpus $(CORPUS)

bench-web: setup build-tested ## What the page costs, against three.js alone in the same run
	cd web && RETAKE_BIN=$(abspath $(RETAKE)) npm run --silent bench

# Until it is interrupted, or for FUZZ_MINUTES; FUZZ names targets, FUZZ_SEED begins elsewhere.
fuzz: ## Damaged files and messages against every reader, without end
	$(CARGO) run -p retake_fuzz -- $(FUZZ) $(if $(FUZZ_SEED),--seed $(FUZZ_SEED)) $(if $(FUZZ_MINUTES),--minutes $(FUZZ_MINUTES))

SOAK_MINUTES ?= 60
soak: build-tested ## An hour of ten clients at once, then every law unthinned (SOAK_MINUTES=60)
	$(CARGO) run -p retake_soak -- $(RETAKE) $(SOAK_MINUTES)
	RETAKE_SOAK=1 PROPTEST_RNG_SEED=$$RANDOM $(CARGO) test --workspace --no-fail-fast --lib --bins --tests
	$(RETAKE) bench undo-laws

screenshots: setup build-tested ## Take the pictures of the guide anew
	cd web && RETAKE_SHOTS=1 RETAKE_BIN=$(abspath $(RETAKE)) npm run --silent e2e
