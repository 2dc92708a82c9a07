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

# What a release is made from, and for.
COMMIT    ?= $(shell git rev-parse HEAD 2>/dev/null)
RELEASE   := pandaprobe-harness_$(VERSION)
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
SHARE     := $(PREFIX)/share

# The time of the files in its archives: that of the commit.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: build demo test race torture mutate fuzz lint bench man install release release-test clean

build: ## build bin/pandaprobe-harness
	$(BUILD) -o $(BIN) ./cmd/pandaprobe-harness

demo: build ## run the main job on the bundled example, offline
	@sh fixtures/demo/demo.sh $(BIN)
	@sh fixtures/demo/day.sh $(BIN)

test: ## run every test
	$(GO) test -tags $(TAGS) ./...

race: ## run every test with the race detector
	$(GO) test -race -timeout 30m -tags $(TAGS) ./...

# What `make torture` runs at length and `make test` in short (docs/reliability.md).
TORTURE := -tags $(TAGS) -count 1 -v -run '^Test(AFailedStep|ACrash|ADisk|Killed|ACrowd|OneEngine|AStuck|AReadOnly|Full|TenThousand|LargeInput)'
torture: export TORTURE_ALL = 1
torture: export TORTURE_CANDIDATES = 10000
torture: export TORTURE_KILLS = 300
torture: export TORTURE_SECONDS = 60
torture: export TORTURE_STEPS = 60

torture: ## kill, fill disks, crowd: three minutes; prints the faults injected
	@mkdir -p bin
	@echo "this takes about three minutes; what the tests say goes to bin/torture.log"
	@{ $(GO) test -race $(TORTURE) ./workspace ./lifecycle && $(GO) test $(TORTURE) ./cmd/pandaprobe-harness; } \
		>bin/torture.log 2>&1 || { cat bin/torture.log; exit 1; }
	@sed -n 's/^.*_test.go:[0-9]*: torture: //p' bin/torture.log
	@echo "all passed"

mutate: ## break every promise on purpose; a test has to fail each time (minutes)
	$(GO) run ./cmd/pandaprobe-harness/internal/mutate -tags $(TAGS) $(if $(ONLY),-only '$(ONLY)') fixtures/mutations.toml

FUZZTIME ?= 60s

fuzz: ## run every fuzz target for FUZZTIME, one after the other
	@status=0; for package in $$($(GO) list -tags $(TAGS) ./...); do \
		for target in $$($(GO) test -tags $(TAGS) -list '^Fuzz' $$package | sed -n '/^Fuzz/p'); do \
			echo "$$target ($$package)"; \
			$(GO) test -tags $(TAGS) -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package || status=1; \
		done; \
	done; exit $$status

lint: ## gofmt, vet on three systems, staticcheck, tidy
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "gofmt: the files above need formatting"; exit 1; }
	$(GO) vet -tags $(TAGS) ./...
	GOOS=darwin $(GO) vet -tags $(TAGS) ./...
	GOOS=windows $(GO) vet -tags $(TAGS) ./...
	$(GO) run $(STATICCHECK) -checks inherit,-SA5008 -tags $(TAGS) ./... # SA5008 does not know the tag option "embed"
	$(GO) mod tidy -diff

bench: build ## measure speed, as ratios to other programs in the same run
	$(GO) test -tags $(TAGS) -run '^$$' -bench . -benchtime 1x ./...

man: build ## write the manual page and the completion scripts to dist
	mkdir -p dist/man dist/completion
	$(BIN) man >dist/man/pandaprobe-harness.1
	for shell in bash zsh fish; do $(BIN) completion $$shell >dist/completion/pandaprobe-harness.$$shell || exit; done

install: man ## install the program, its link for calibration, manual and completion
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/pandaprobe-harness
	ln -sf pandaprobe-harness $(DESTDIR)$(PREFIX)/bin/pandaprobe-harness-calibrate
	install -d $(addprefix $(DESTDIR)$(SHARE)/,man/man1 bash-completion/completions zsh/site-functions fish/vendor_completions.d)
	install -m 644 dist/man/pandaprobe-harness.1 $(DESTDIR)$(SHARE)/man/man1/pandaprobe-harness.1
	install -m 644 dist/completion/pandaprobe-harness.bash $(DESTDIR)$(SHARE)/bash-completion/completions/pandaprobe-harness
	install -m 644 dist/completion/pandaprobe-harness.zsh $(DESTDIR)$(SHARE)/zsh/site-functions/_pandaprobe-harness
	install -m 644 dist/completion/pandaprobe-harness.fish $(DESTDIR)$(SHARE)/fish/vendor_completions.d/pandaprobe-harness.fish

release: man ## build static programs for every system, archives and checksums in dist
	rm -rf dist/$(RELEASE)_*
	@set -e; for platform in $(PLATFORMS); do \
		os=$${platform%/*} arch=$${platform#*/} folder=dist/$(RELEASE)_$${os}_$$arch program=pandaprobe-harness; \
		if [ $$os = windows ]; then program=$$program.exe; fi; \
		echo "$$folder/$$program"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch GOAMD64=v1 GOARM64=v8.0 $(BUILD) -buildvcs=false \
			-ldflags '$(LDFLAGS) -X main.commit=$(COMMIT)' -o $$folder/$$program ./cmd/pandaprobe-harness; \
		cp -R LICENSE README.md CHANGELOG.md docs dist/man dist/completion $$folder; \
	done
	$(GO) run ./cmd/pandaprobe-harness/internal/release -time $(SOURCE_DATE_EPOCH) $(foreach p,$(PLATFORMS),dist/$(RELEASE)_$(subst /,_,$(p)))

release-test: release ## run the command-line tests on the released program of this system
	PANDAPROBE_HARNESS_TEST_BINARY="$(CURDIR)/dist/$(RELEASE)_$$($(GO) env GOOS)_$$($(GO) env GOARCH)/pandaprobe-harness$$($(GO) env GOEXE)" \
		$(GO) test -count=1 -tags $(TAGS) -run 'Scripts|Recipes' ./cmd/pandaprobe-harness

clean: ## remove what was built
	rm -rf bin dist
