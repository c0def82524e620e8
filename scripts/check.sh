#!/usr/bin/env bash
# Every check that is not a test of behaviour. All of them run, so that one look shows all that is wrong.
set -uo pipefail
cd "$(dirname "$0")/.."

failed=()

# check NAME COMMAND… runs quietly and shows the output only of what fails.
check() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "ok    $name"
  else
    echo "FAIL  $name"
    printf '%s\n' "$output" | sed 's/^/      /'
    failed+=("$name")
  fi
}

# silent COMMAND… fails when the command prints anything (for tools that report without a status).
silent() {
  local output
  output=$("$@" 2>&1) && [ -z "$output" ] && return 0
  printf '%s\n' "$output"
  return 1
}

check "go modules tidy" go mod tidy -diff
check "go format" silent golangci-lint fmt --diff
check "go vet and lint" golangci-lint run --allow-parallel-runners
check "go dead code" silent deadcode -test ./...
check "house rules, generated files, translations, budgets" go test ./internal/rules
check "web types" npm --prefix web run --silent types
check "web lint" npm --prefix web run --silent lint
check "web format" npm --prefix web run --silent format:check
check "web unused files, exports and packages" npm --prefix web run --silent unused
check "browser tests and bench: types" bash -c 'npm --prefix e2e run --silent types && npm --prefix bench/web run --silent types'
check "browser tests and bench: lint" oxlint -c e2e/.oxlintrc.json e2e bench/web
check "browser tests and bench: format" oxfmt -c web/.oxfmtrc.json --check e2e bench/web

if [ ${#failed[@]} -gt 0 ]; then
  echo "check: ${#failed[@]} failed"
  exit 1
fi
echo "check: all passed"
