#!/usr/bin/env bash
# Every check that is not a test of behaviour. All of them run, so that one look shows all that is wrong.
# What finds faults fails; what is a matter of style is printed as `warn` lines. Where a folder is named, its `warnings` has
# them instead, and its `checks.json` a line for each check, for scripts/tally.
# With FAIRGROUND_STRICT set, style fails as well.
set -uo pipefail
cd "$(dirname "$0")/.."

results=${1:-}
strict=${FAIRGROUND_STRICT:-}
failed=()

# Linters that find faults. Their findings fail; those of the others warn.
faults='errcheck|errorlint|govet|staticcheck|nilerr|nilnesserr|makezero|reassign|durationcheck|copyloopvar|bodyclose|rowserrcheck|sqlclosecheck|noctx|fatcontext|gosec|bidichk|typecheck'

pass() { # pass NAME
  echo "ok    $1"
  if [ -n "$results" ]; then printf 'ok\t%s\n' "$1" >>"$results/checks.json"; fi
}

report() { # report NAME OUTPUT: a fault
  echo "FAIL  $1"
  printf '%s\n' "$2" | sed 's/^/      /'
  failed+=("$1")
  if [ -n "$results" ]; then printf 'FAIL\t%s\t%s\n' "$1" "$(printf '%s' "$2" | head -n 5 | tr '\n\t' '| ')" >>"$results/checks.json"; fi
}

advise() { # advise NAME OUTPUT: a matter of style
  if [ -n "$strict" ]; then
    report "$1" "$2"
    return
  fi
  echo "warn  $1"
  if [ -n "$results" ]; then
    printf '%s\n' "$2" | grep -v '^ *$' | head -n 20 | sed "s/^/$1: /" >>"$results/warnings"
  else
    printf '%s\n' "$2" | sed 's/^/      /'
  fi
}

# run HOW NAME COMMAND… runs quietly and hands the output of what fails to report or advise.
run() {
  local how=$1 name=$2 output
  shift 2
  if output=$("$@" 2>&1); then pass "$name"; else "$how" "$name" "$output"; fi
}

# silent COMMAND… fails when the command prints anything (for tools that report without a status).
silent() {
  local output
  output=$("$@" 2>&1) && [ -z "$output" ] && return 0
  printf '%s\n' "$output"
  return 1
}

go_lint() {
  local output serious style code
  output=$(golangci-lint run --allow-parallel-runners --output.text.print-issued-lines=false --output.text.colors=false 2>&1)
  code=$?
  if [ $code -eq 0 ]; then
    pass "go vet and lint"
    return
  fi
  if [ $code -ne 1 ]; then # it did not get to its end
    report "go vet and lint" "$output"
    return
  fi
  # staticcheck's S, ST and QF checks are about style.
  serious=$(printf '%s\n' "$output" | grep -E "\(($faults)\)\$" | grep -vE ': (S1|ST1|QF1)[0-9]+: ')
  style=$(printf '%s\n' "$output" | grep -E '\([a-z]+\)$' | grep -vxF -e "${serious:-none}")
  if [ -z "$serious$style" ] || [ -n "$serious" ]; then report "go vet and lint" "${serious:-$output}"; else pass "go vet and lint"; fi
  [ -n "$style" ] && advise "go style" "$style"
}

# ts_lint NAME COMMAND…: errors fail, warnings are a matter of style.
ts_lint() {
  local name=$1 output style
  shift
  if ! output=$("$@" 2>&1); then
    report "$name" "$output"
    return
  fi
  pass "$name"
  style=$(printf '%s\n' "$output" | grep -F '[Warning')
  [ -n "$style" ] && advise "$name" "$style"
}

# soak_vet looks at the packages whose tests the gate does not compile.
soak_vet() {
  local folders
  mapfile -t folders < <(grep -rl --include='*_test.go' -e '^//go:build soak' -e '^//go:build !soak' cmd internal | xargs -n 1 dirname | sort -u | sed 's|^|./|')
  go vet -tags=soak "${folders[@]}"
}

rules() {
  local output
  if ! output=$(go test -v ./internal/rules 2>&1); then
    report "rules, generated files, translations" "$(printf '%s\n' "$output" | grep -vE '^=== |^--- PASS|^PASS|^ +--- PASS')"
    return
  fi
  pass "rules, generated files, translations"
  output=$(printf '%s\n' "$output" | sed -n 's/.*warn: //p')
  [ -n "$output" ] && advise "budgets and names" "$output"
}

# What only tests and test packages call, one `function: why it stays` a line.
kept='MigrationsDigest: dbtest names its template databases by it'

# without_caller prints what no program of the project calls and the list above does not name.
without_caller() {
  local functions
  functions=$(printf '%s\n' "$kept" | sed 's/:.*//')
  deadcode ./... | grep -v 'test/' | grep -vwF -e "$functions"
  return 0
}

run report "go modules tidy" go mod tidy -diff
go_lint
run report "go vet of what only the soak runs" soak_vet
rules
run report "web types" npm --prefix web run --silent types
ts_lint "web lint" npm --prefix web run --silent lint -- --format=unix
run report "browser tests and bench: types" bash -c 'npm --prefix e2e run --silent types && npm --prefix bench/web run --silent types'
ts_lint "browser tests and bench: lint" oxlint -c e2e/.oxlintrc.json --format=unix e2e bench/web
run advise "go format" silent golangci-lint fmt --diff
# Dead code of tests alone takes as long again to find: the soak looks for it.
[ -n "$strict" ] && run advise "go dead code" silent deadcode -test ./...
run advise "go code that only tests call" silent without_caller
run advise "web format" npm --prefix web run --silent format:check
run advise "web unused files, exports and packages" npm --prefix web run --silent unused
run advise "browser tests and bench: format" oxfmt -c web/.oxfmtrc.json --check e2e bench/web

if [ ${#failed[@]} -gt 0 ]; then
  printf 'FAIL check: %s\n' "${failed[@]}"
  exit 1
fi
echo "check: passed"
