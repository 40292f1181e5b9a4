# Each target prints the plain command that it runs; none of them is needed without make.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: proof-importers proof-damage proof-cuts proof-kills proof-monkey run test test-newest test-floors test-slow check lint types imports wheel docs bench screens house

run: .venv/ready
	$(BIN)/awase demo --window

test: .venv/ready-for-tests
	$(BIN)/python -m pytest -n 2 --dist worksteal

# The newest of every package, without constraints.txt.
test-newest:
	$(PYTHON) tools/prepare.py --for-newest
	.venv-newest/bin/python -m pytest -n 2 --dist worksteal tests/core tests/jobs tests/cli

# The lowest versions that pyproject.toml allows.
test-floors:
	$(PYTHON) tools/check_floors.py

test-slow: .venv/ready-for-slow-tests
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "slow or hypothesis" --hypothesis-profile=whole

# What docs/reliability.md promises, tried as often as it says there.
proof-importers proof-damage proof-cuts proof-kills proof-monkey: proof-%: .venv/ready-for-tests
	$(BIN)/python -m tests.proofs $* $(N_$*)

N_importers := 100000
N_damage := 5000
N_cuts := 1000
N_kills := 700
N_monkey := 20000

check: lint types imports test wheel

lint: .venv/ready-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/ready-for-slow-tests
	$(BIN)/mypy
	$(BIN)/mypy tools

imports: .venv/ready-for-tests
	$(BIN)/lint-imports

wheel: .venv/ready-for-tests
	$(BIN)/python tools/check_wheel.py

# Into site/, in both languages, without the net; broken links and failing notebooks fail.
docs: .venv/ready-for-tests
	$(PYTHON) tools/prepare.py --for-docs
	$(BIN)/python tools/build_site.py

bench: .venv/ready-for-tests
	$(BIN)/python -m tests.benchmarks

house: .venv/ready-for-tests
	$(BIN)/python tools/house.py --walks

screens: .venv/ready-for-tests
	$(BIN)/python tools/screens screens

OF_READY := tools/prepare.py pyproject.toml constraints.txt hatch_build.py $(wildcard kernel/src/*.rs kernel/src/*/*.rs)

.venv/ready: $(OF_READY)
	$(PYTHON) tools/prepare.py

.venv/ready-for-tests: $(OF_READY)
	$(PYTHON) tools/prepare.py --for-tests

.venv/ready-for-slow-tests: $(OF_READY)
	$(PYTHON) tools/prepare.py --for-slow-tests
