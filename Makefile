# Everything that a contributor or a CI job runs. Needs Go, git, a POSIX shell
# and coreutils; `make lint` fetches its linter through Go.

GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
PREFIX  ?= /usr/local
BIN     := bin/pandaprobe-harness

# The library's documentation code costs a third of a millisecond per start.
TAGS    := urfave_cli_no_docs
LDFLAGS := -s -w -X main.version=$(VERSION)
BUILD   := $(GO) build -trimpath -tags $(TAGS) -ldflags '$(LDFLAGS)'

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: build demo test race lint bench install clean

build: ## build bin/pandaprobe-harness
	$(BUILD) -o $(BIN) ./cmd/pandaprobe-harness

demo: build ## run the main job on the bundled example, offline
	@sh fixtures/demo/demo.sh $(BIN)
	@sh fixtures/demo/day.sh $(BIN)

test: ## run every test
	$(GO) test -tags $(TAGS) ./...

race: ## run every test with the race detector
	$(GO) test -race -tags $(TAGS) ./...

lint: ## gofmt, vet on three systems, staticcheck, tidy
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "gofmt: the files above need formatting"; exit 1; }
	$(GO) vet -tags $(TAGS) ./...
	GOOS=darwin $(GO) vet -tags $(TAGS) ./...
	GOOS=windows $(GO) vet -tags $(TAGS) ./...
	$(GO) run $(STATICCHECK) -tags $(TAGS) ./...
	$(GO) mod tidy -diff

bench: build ## measure speed, as ratios to other programs in the same run
	$(GO) test -tags $(TAGS) -run '^$$' -bench . -benchtime 1x ./...

install: build ## install the program and its link for calibration
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/pandaprobe-harness
	ln -sf pandaprobe-harness $(DESTDIR)$(PREFIX)/bin/pandaprobe-harness-calibrate

clean: ## remove what was built
	rm -rf bin dist
