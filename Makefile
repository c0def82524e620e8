# Two commands matter: `make run` and `make test`. Everything else is a part of them or a tool beside them.
# Work is redone only when its inputs changed: stamps stand in .tools/stamps, Go keeps its own cache.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:

ADDR ?= 127.0.0.1:8080
DATA ?= data

STAMPS := .tools/stamps
# Tools that take minutes to build are kept for every copy of the project.
TOOLS := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/fairground/tools
LINT_VERSION := v2.14.0
DEADCODE_VERSION := v0.52.0
SQLC_VERSION := v1.31.1

# The project's own Node, a dev dependency of web/, comes before the machine's. Installing is done with the
# machine's, because an install replaces the project's.
SYSTEM_PATH := $(PATH)
export PATH := $(CURDIR)/web/node_modules/.bin:$(TOOLS)/golangci-lint-$(LINT_VERSION):$(TOOLS)/deadcode-$(DEADCODE_VERSION):$(TOOLS)/sqlc-$(SQLC_VERSION):$(shell scripts/setup.sh --path)$(PATH)
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD := 1
export npm_config_fund := false
export npm_config_audit := false
export npm_config_update_notifier := false

# Installs what the lock file says and leaves it as it is. `npm ci` would refuse a lock file that lacks the optional
# packages of other platforms, which a registry need not carry; that the lock fits is a test in internal/rules.
NPM_INSTALL = PATH="$(SYSTEM_PATH)" npm install --no-save --loglevel=error

# Folders are among the sources: what was removed leaves no newer file, only a newer folder.
WEB_SOURCES := $(shell find web/src web/house web/tools web/public web/index.html web/*.ts web/*.json 2>/dev/null)
PACK_SOURCES := go.mod go.sum $(wildcard internal/platform/webui/pack/*.go)

# What nobody waits for, or only for a network or a disk: the bus, jobs, files, the metrics' encoding. Without their calls
# inlined the binary is 1.8 MB smaller. Nothing that answers a request or asks a database is among them.
NOT_INLINED := github.com/nats-io/nats-server github.com/riverqueue github.com/minio google.golang.org/protobuf

# A tool's folder bears its version, so that another version is built anew.
LINT := $(TOOLS)/golangci-lint-$(LINT_VERSION)/golangci-lint
DEADCODE := $(TOOLS)/deadcode-$(DEADCODE_VERSION)/deadcode
SQLC := $(TOOLS)/sqlc-$(SQLC_VERSION)/sqlc
CHECK_TOOLS := e2e/node_modules/.stamp bench/web/node_modules/.stamp $(LINT) $(DEADCODE)

## —— the two commands ————————————————————————————————————————————————————————

.PHONY: run
run: build ## set up, build, and serve the demo at http://127.0.0.1:8080/m/home (ADDR=…, DATA=… to change)
	@exec bin/fairground serve --demo --addr $(ADDR) --data $(DATA)

.PHONY: test
test: setup build $(CHECK_TOOLS) ## the gate: set up, then every check and test (PART=checks|go|web|browser for one part)
	@scripts/test.sh $(PART)

.PHONY: soak
soak: export FAIRGROUND_SOAK := 1
soak: setup build $(CHECK_TOOLS) ## an hour of everything, strictly: race detector, kills, every look, budgets, style (PART=…)
	@scripts/test.sh --soak $(PART)

## —— parts ———————————————————————————————————————————————————————————————————

.PHONY: build
build: room internal/platform/webui/dist/index.html.br ## bin/fairground: one file with everything in it, linked to nothing
	@mkdir -p bin
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" $(NOT_INLINED:%=-gcflags=%/...=-l) -o bin/fairground ./cmd/fairground

.PHONY: web
web: web/dist/index.html ## the web app alone, in web/dist

.PHONY: check
check: build $(CHECK_TOOLS) ## the checks alone: types, lint, rules, generated files, translations; style and budgets warn
	@scripts/check.sh

.PHONY: pictures
pictures: setup build ## pictures of every screen in every language, theme and width, in e2e/results/pictures (SCREEN=… for some)
	@npm --prefix e2e run --silent pictures $(if $(SCREEN),-- -g "$(SCREEN)")

.PHONY: bench
bench: NEEDS = go node postgres installed_chromium
bench: setup build bench/web/node_modules/.stamp ## every benchmark as ratios of one run, written as one table
	@scripts/bench.sh

.PHONY: conformance
conformance: ## list the statements of docs/conformance.md that no test names (information, never a failure)
	@go run ./scripts/conformance

.PHONY: generate
generate: $(SQLC) web/node_modules/.stamp web/openapi/node_modules/.stamp ## write again what is generated: queries, API document, client types, codes, digests
	@cd internal/platform/db && sqlc generate
	@go run ./cmd/fairground openapi > .tools/openapi.json
	@mv .tools/openapi.json docs/openapi.json
	@cd web && npm run --silent api
	@go run ./scripts/codes
	@go run ./scripts/digest

.PHONY: art
art: web/art/node_modules/.stamp ## paint the committed pictures whose sources changed (web/public/art, web/public/icons)
	@npm --prefix web/art run --silent paint

.PHONY: fix
fix: web/node_modules/.stamp $(LINT) ## repair what a tool can: format and simple findings
	@golangci-lint run --fix >/dev/null || true
	@golangci-lint fmt
	@npm --prefix web run --silent format
	@oxfmt -c web/.oxfmtrc.json e2e bench/web

.PHONY: clean
clean: ## remove what was built; data/ stays
	@rm -rf bin web/dist e2e/results bench/results $(STAMPS)
	@find internal/platform/webui/dist -mindepth 1 -not -name .gitkeep -delete

.PHONY: help
help:
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | awk -F'\t' '{printf "make %-12s %s\n", $$1, $$2}'

## —— set-up ——————————————————————————————————————————————————————————————————

# What a run needs of the machine: all of it, or what the parts that were named need.
NEEDS = go node $(if $(or $(if $(PART),,all),$(filter go,$(PART))),postgres) $(if $(or $(if $(PART),,all),$(filter browser,$(PART))),chromium)

.PHONY: setup
setup: room e2e/node_modules/.stamp
	@scripts/setup.sh $(NEEDS)

.PHONY: room
room:
	@scripts/setup.sh room

web/node_modules/.stamp: web/package.json web/package-lock.json
	@scripts/setup.sh go node
	@echo "installing the web packages"
	@cd web && $(NPM_INSTALL)
	@touch $@

web/openapi/node_modules/.stamp: web/openapi/package.json web/openapi/package-lock.json
	@cd web/openapi && $(NPM_INSTALL)
	@touch $@

web/art/node_modules/.stamp: web/node_modules/.stamp web/art/package.json web/art/package-lock.json
	@echo "installing the packages that paint the art"
	@cd web/art && $(NPM_INSTALL)
	@touch $@

e2e/node_modules/.stamp: e2e/package.json e2e/package-lock.json
	@scripts/setup.sh go node
	@echo "installing the browser-test packages"
	@cd e2e && $(NPM_INSTALL)
	@touch $@

bench/web/node_modules/.stamp: bench/web/package.json bench/web/package-lock.json
	@cd bench/web && $(NPM_INSTALL)
	@touch $@

$(LINT):
	@mkdir -p "$(@D)"
	@echo "building golangci-lint $(LINT_VERSION), once; this takes some minutes"
	@GOBIN="$(@D)" go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)

$(DEADCODE):
	@mkdir -p "$(@D)"
	@GOBIN="$(@D)" go install golang.org/x/tools/cmd/deadcode@$(DEADCODE_VERSION)

$(SQLC):
	@mkdir -p "$(@D)"
	@echo "building sqlc $(SQLC_VERSION), once; this takes some minutes"
	@GOBIN="$(@D)" go install github.com/sqlc-dev/sqlc/cmd/sqlc@$(SQLC_VERSION)

## —— the web app —————————————————————————————————————————————————————————————

web/dist/index.html: web/node_modules/.stamp $(WEB_SOURCES)
	@echo "building the web app"
	@cd web && npm run --silent build -- --logLevel error
	@touch $@

internal/platform/webui/dist/index.html.br: web/dist/index.html $(PACK_SOURCES)
	@go run ./internal/platform/webui/pack
	@touch $@
