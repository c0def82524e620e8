# `make run` starts the demo and `make test` runs all tests. `make help` lists the other targets.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:

ADDR ?= 127.0.0.1:8080
DATA ?= data

STAMPS := .tools/stamps
# All copies of the project share the built tools.
TOOLS := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/fairground/tools
LINT_VERSION := v2.14.0
DEADCODE_VERSION := v0.52.0
GOTESTSUM_VERSION := v1.13.0
SQLC_VERSION := v1.31.1

# npm scripts run on the project's own Node, a dev dependency of web/. `npm install` runs on the machine's Node, because it
# replaces the project's.
SYSTEM_PATH := $(PATH)
export PATH := $(CURDIR)/web/node_modules/.bin:$(TOOLS)/golangci-lint-$(LINT_VERSION):$(TOOLS)/deadcode-$(DEADCODE_VERSION):$(TOOLS)/gotestsum-$(GOTESTSUM_VERSION):$(TOOLS)/sqlc-$(SQLC_VERSION):$(shell scripts/setup.sh --path)$(PATH)
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD := 1
export npm_config_fund := false
export npm_config_audit := false
export npm_config_update_notifier := false

# `npm ci` rejects a lock file without the optional packages of other platforms, which some registries do not have.
# A test in internal/rules compares package.json with its lock file.
NPM_INSTALL = PATH="$(SYSTEM_PATH)" npm install --no-save --loglevel=error

# The list includes folders, whose time changes when a file in them is removed.
WEB_SOURCES := $(shell find web -mindepth 1 \( -name node_modules -o -path web/dist -o -path web/art -o -path web/openapi \) -prune -o -print 2>/dev/null)
PACK_SOURCES := go.mod go.sum $(wildcard internal/platform/webui/pack/*.go)

LINT := $(TOOLS)/golangci-lint-$(LINT_VERSION)/golangci-lint
DEADCODE := $(TOOLS)/deadcode-$(DEADCODE_VERSION)/deadcode
GOTESTSUM := $(TOOLS)/gotestsum-$(GOTESTSUM_VERSION)/gotestsum
SQLC := $(TOOLS)/sqlc-$(SQLC_VERSION)/sqlc
CHECK_TOOLS := web/openapi/node_modules/.stamp e2e/node_modules/.stamp bench/web/node_modules/.stamp $(LINT) $(DEADCODE)

## —— the two commands ————————————————————————————————————————————————————————

.PHONY: run
run: build ## set up, build, and serve the demo at http://127.0.0.1:8080/m/home (ADDR=… and DATA=… to change)
	@exec bin/fairground serve --demo --addr $(ADDR) --data $(DATA)

.PHONY: test
test: setup build $(CHECK_TOOLS) $(GOTESTSUM) ## set up, then run the gate: all checks and tests (PART=checks|go|web|browser for one part)
	@scripts/test.sh $(PART)

.PHONY: soak
soak: export FAIRGROUND_SOAK := 1
soak: setup build $(CHECK_TOOLS) $(GOTESTSUM) $(SQLC) ## run the long tests, about an hour: race detector, all journeys, strict style and budgets (PART=…)
	@scripts/test.sh --soak $(PART)

## —— parts ———————————————————————————————————————————————————————————————————

.PHONY: build
build: room internal/platform/webui/dist/index.html.br ## build bin/fairground, one static binary with the web app in it
	@mkdir -p bin
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o bin/fairground ./cmd/fairground

.PHONY: web
web: web/dist/index.html ## build only the web app, into web/dist

.PHONY: check
check: build $(CHECK_TOOLS) ## run only the checks: types, lint, rules, generated files, translations
	@scripts/check.sh

.PHONY: pictures
pictures: setup build ## write screenshots of every screen to e2e/results/pictures (SCREEN=… for some)
	@npm --prefix e2e run --silent pictures $(if $(SCREEN),-- -g "$(SCREEN)")

.PHONY: bench
bench: NEEDS = go node postgres installed_chromium
bench: setup build bench/web/node_modules/.stamp ## run every benchmark and print one table of ratios
	@scripts/bench.sh

.PHONY: conformance
conformance: ## list the statements of docs/conformance.md and docs/safety.md without a test
	@go run ./scripts/conformance

.PHONY: generate
generate: $(SQLC) web/node_modules/.stamp web/openapi/node_modules/.stamp ## write the generated files: queries, API document, client types, codes
	@cd internal/platform/db && sqlc generate
	@scripts/generate.sh

.PHONY: art
art: web/art/node_modules/.stamp ## paint the committed pictures whose sources changed (web/public/art, web/public/icons)
	@npm --prefix web/art run --silent paint

.PHONY: fix
fix: web/node_modules/.stamp $(LINT) ## format the code and fix simple findings
	@golangci-lint run --fix >/dev/null || true
	@golangci-lint fmt
	@npm --prefix web run --silent format
	@oxfmt -c web/.oxfmtrc.json e2e bench/web

.PHONY: clean
clean: ## remove build output; data/ stays
	@rm -rf bin web/dist e2e/results bench/results $(STAMPS)
	@find internal/platform/webui/dist -mindepth 1 -not -name .gitkeep -delete

.PHONY: help
help:
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | awk -F'\t' '{printf "make %-12s %s\n", $$1, $$2}'

## —— set-up ——————————————————————————————————————————————————————————————————

# The programs that a run needs, all or those of the named parts.
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
	@echo "building golangci-lint $(LINT_VERSION), which takes some minutes the first time"
	@GOBIN="$(@D)" go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)

$(DEADCODE):
	@mkdir -p "$(@D)"
	@GOBIN="$(@D)" go install golang.org/x/tools/cmd/deadcode@$(DEADCODE_VERSION)

$(GOTESTSUM):
	@mkdir -p "$(@D)"
	@GOBIN="$(@D)" go install gotest.tools/gotestsum@$(GOTESTSUM_VERSION)

$(SQLC):
	@mkdir -p "$(@D)"
	@echo "building sqlc $(SQLC_VERSION), which takes some minutes the first time"
	@GOBIN="$(@D)" go install github.com/sqlc-dev/sqlc/cmd/sqlc@$(SQLC_VERSION)

## —— the web app —————————————————————————————————————————————————————————————

web/dist/index.html: web/node_modules/.stamp $(WEB_SOURCES)
	@echo "building the web app"
	@cd web && npm run --silent build -- --logLevel error
	@touch $@

internal/platform/webui/dist/index.html.br: web/dist/index.html $(PACK_SOURCES)
	@go run ./internal/platform/webui/pack
	@touch $@
