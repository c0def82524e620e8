#!/usr/bin/env bash
# Runs every check that is not a test of behaviour. A failed check does not stop the others.
#
#   scripts/check.sh [FOLDER]
#
# Checks for faults fail. Style checks only warn, unless FAIRGROUND_STRICT is set.
# With a FOLDER, warnings go to FOLDER/warnings and results to FOLDER/checks.json, as `go test -json` events.
set -uo pipefail
cd "$(dirname "$0")/.."

results=${1:-}
strict=${FAIRGROUND_STRICT:-}
failed=()

# The findings of these linters fail. The findings of all others warn.
faults='errcheck|errorlint|govet|staticcheck|nilerr|nilnesserr|makezero|reassign|durationcheck|copyloopvar|bodyclose|rowserrcheck|sqlclosecheck|noctx|fatcontext|gosec|bidichk|typecheck'

event() { # event ACTION NAME [OUTPUT]
  [ -n "$results" ] || return 0
  local output
  output=$(printf '%s' "${3:-}" | head -n 5 | tr -d '\000-\010\013-\037' | tr '\t' ' ' | sed 's/[\\"]/\\&/g' | sed ':a;N;$!ba;s/\n/\\n/g')
  printf '{"Action":"%s","Package":"checks","Test":"%s","Output":"%s"}\n' "$1" "$2" "$output" >>"$results/checks.json"
}

pass() { # pass NAME
  echo "ok    $1"
  event pass "$1"
}

fail() { # fail NAME OUTPUT
  echo "FAIL  $1"
  printf '%s\n' "$2" | sed 's/^/      /'
  failed+=("$1")
  event output "$1" "$2"
  event fail "$1"
}

warn() { # warn NAME OUTPUT
  if [ -n "$strict" ]; then
    fail "$1" "$2"
    return
  fi
  echo "warn  $1"
  if [ -n "$results" ]; then
    printf '%s\n' "$2" | grep -v '^ *$' | head -n 20 | sed "s/^/$1: /" >>"$results/warnings"
  else
    printf '%s\n' "$2" | sed 's/^/      /'
  fi
}

# run REPORT NAME COMMAND... calls REPORT (fail or warn) with the output of a command that fails.
run() {
  local report=$1 name=$2 output
  shift 2
  if output=$("$@" 2>&1); then pass "$name"; else "$report" "$name" "$output"; fi
}

# silent COMMAND... fails if the command prints anything, for tools that always exit with 0.
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
  if [ $code -ne 1 ]; then # 1 means findings; any other code means that it did not finish
    fail "go vet and lint" "$output"
    return
  fi
  # staticcheck's S, ST and QF checks are style.
  serious=$(printf '%s\n' "$output" | grep -E "\(($faults)\)\$" | grep -vE ': (S1|ST1|QF1)[0-9]+: ')
  style=$(printf '%s\n' "$output" | grep -E '\([a-z]+\)$' | grep -vxF -e "${serious:-none}")
  if [ -z "$serious$style" ] || [ -n "$serious" ]; then fail "go vet and lint" "${serious:-$output}"; else pass "go vet and lint"; fi
  [ -n "$style" ] && warn "go style" "$style"
}

# ts_lint NAME COMMAND... fails on errors and warns of warnings.
ts_lint() {
  local name=$1 output style
  shift
  if ! output=$("$@" 2>&1); then
    fail "$name" "$output"
    return
  fi
  pass "$name"
  style=$(printf '%s\n' "$output" | grep -F '[Warning')
  [ -n "$style" ] && warn "$name" "$style"
}

# soak_vet vets the test files that the gate does not compile.
soak_vet() {
  local folders
  mapfile -t folders < <(grep -rl --include='*_test.go' -e '^//go:build soak' -e '^//go:build !soak' cmd internal | xargs -n 1 dirname | sort -u | sed 's|^|./|')
  go vet -tags=soak "${folders[@]}"
}

rules() {
  local output
  if ! output=$(go test -v ./internal/rules 2>&1); then
    fail "rules and translations" "$(printf '%s\n' "$output" | grep -vE '^=== |^--- PASS|^PASS|^ +--- PASS')"
    return
  fi
  pass "rules and translations"
  output=$(printf '%s\n' "$output" | sed -n 's/.*warn: //p')
  [ -n "$output" ] && warn "budgets and names" "$output"
}

# generated_files writes the generated files to a temporary folder and compares them with the committed ones.
generated_files() {
  local folder code=0 file
  folder=$(mktemp -d)
  scripts/generate.sh "$folder" || code=1
  while IFS= read -r file; do
    diff -u "$file" "$folder/$file" >"$folder.diff" 2>&1 && continue
    code=1
    echo "$file is not current: run make generate"
    head -n 40 "$folder.diff"
  done < <(cd "$folder" && find . -type f | sed 's|^\./||' | sort)
  rm -rf "$folder" "$folder.diff"
  return $code
}

generated_queries() { (cd internal/platform/db && sqlc diff); }

# Functions that only tests and test packages call, one `function: reason` per line.
test_only='Forms: tests of the lottery run over all forms
MigrationsDigest: dbtest names its template databases by it
Queued: tests of the ledger wait until posts are queued'

# uncalled prints the functions that no program calls, except those above.
uncalled() {
  local functions
  functions=$(printf '%s\n' "$test_only" | sed 's/:.*//')
  deadcode ./... | grep -v 'test/' | grep -vwF -e "$functions"
  return 0
}

# dead prints the functions that neither a program nor a test calls. Examples without output are only compiled.
dead() {
  deadcode -test ./... | grep -v 'unreachable func: Example'
  return 0
}

run fail "go modules tidy" go mod tidy -diff
go_lint
run fail "go vet of soak tests" soak_vet
rules
run fail "generated files" generated_files
[ -n "$strict" ] && run fail "generated queries" generated_queries
run fail "web types" npm --prefix web run --silent types
ts_lint "web lint" npm --prefix web run --silent lint -- --format=unix
run fail "browser tests and bench: types" bash -c 'npm --prefix e2e run --silent types && npm --prefix bench/web run --silent types'
ts_lint "browser tests and bench: lint" oxlint -c e2e/.oxlintrc.json --format=unix e2e bench/web
run warn "go format" silent golangci-lint fmt --diff
# Finding dead test code takes twice the time, so only the soak does it.
[ -n "$strict" ] && run warn "go dead code" silent dead
run warn "go functions that only tests call" silent uncalled
run warn "web format" npm --prefix web run --silent format:check
run warn "web unused files, exports and packages" npm --prefix web run --silent unused
run warn "browser tests and bench: format" oxfmt -c web/.oxfmtrc.json --check e2e bench/web

if [ ${#failed[@]} -gt 0 ]; then
  printf 'FAIL check: %s\n' "${failed[@]}"
  exit 1
fi
echo "check: passed"
