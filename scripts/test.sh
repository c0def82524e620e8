#!/usr/bin/env bash
# Every test. All parts run even when one fails; the last line counts them together.
#
# The race detector needs a C compiler; where there is none the Go tests run without it and say so.
set -uo pipefail
cd "$(dirname "$0")/.."

results=.tools/results
rm -rf "$results" && mkdir -p "$results"
status=0

part() { printf '\n—— %s\n' "$1"; }

part "checks"
make check || status=1

part "Go, on SQLite and PostgreSQL"
race=()
if command -v "${CC:-cc}" >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1; then
  race=(-race)
else
  echo "no C compiler: the Go tests run without the race detector"
fi
go run ./scripts/tally go "$results/go.json" "${race[@]}" ./... || status=1

part "web units"
npm --prefix web test -- --reporter=default --reporter=json --outputFile.json="$PWD/$results/web.json" || status=1

part "browser journeys"
FAIRGROUND_RESULTS="$PWD/$results/e2e.json" npm --prefix e2e test || status=1

part "all tests"
go run ./scripts/tally sum "$results" || status=1
exit $status
