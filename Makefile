# The commands of the project. Windows: see README.md.

PYTHON ?= python3
BIN := .venv/bin
SAMPLE := resources/sample/sample-chat.toml
OFFSCREEN := QT_QPA_PLATFORM=offscreen

.PHONY: run test test-deep bench screenshots lock environment test-environment

run: environment catalog.db
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname -s)" = Darwin ]; then \
		$(BIN)/kentino-desk; \
	else \
		echo "No display: writing the sample proposal and pictures of the screens."; \
		$(MAKE) --no-print-directory show; \
	fi

.PHONY: show
show: | build
	@$(OFFSCREEN) $(BIN)/kentino-desk quote $(SAMPLE) --pdf build/sample-cs.pdf --lang cs
	@$(OFFSCREEN) $(BIN)/kentino-desk screenshots build/screenshots/light --theme light
	@$(OFFSCREEN) $(BIN)/kentino-desk screenshots build/screenshots/dark --theme dark
	@echo "Proposal and screens:"
	@find "$(CURDIR)/build/sample-cs.pdf" "$(CURDIR)/build/screenshots" -type f | sort

test: test-environment
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/kentino-desk catalog check
	$(OFFSCREEN) $(BIN)/pytest tests kentino_desk -m "not deep" --cov --cov-report=term

test-deep: test-environment
	$(OFFSCREEN) $(BIN)/pytest tests -m deep

bench: test-environment catalog.db | build
	$(OFFSCREEN) $(BIN)/python -m kentino_desk.app.bench

screenshots: environment catalog.db | build
	$(OFFSCREEN) $(BIN)/kentino-desk screenshots build/screenshots/light --theme light
	$(OFFSCREEN) $(BIN)/kentino-desk screenshots build/screenshots/dark --theme dark

lock:
	$(PYTHON) packaging/lock.py

environment:
	@$(PYTHON) packaging/bootstrap.py run

test-environment:
	@$(PYTHON) packaging/bootstrap.py test

catalog.db: | environment
	$(BIN)/kentino-desk catalog build

build:
	@mkdir -p build
