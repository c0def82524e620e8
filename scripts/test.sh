#!/usr/bin/env bash
# Every test. All parts run even when one fails; the last line counts them together.
#
# The race detector makes tests several times as long, so here it runs on the packages whose parts share memory the
# most; `make race` runs it on all. It needs a C compiler; where there is none these run without it and say so.
set -uo pipefail
cd "$(dirname "$0")/.."

# Databases that live for one test need no disk: where memory has room for them, they lie there.
memory=/dev/shm
if [ -w "$memory" ] && [ "$(df -Pk "$memory" | awk 'NR == 2 { print $4 }')" -gt 4000000 ]; then
  TMPDIR=$(mktemp -d "$memory/fairground-test-XXXXXX")
  export TMPDIR
  chmod 1777 "$TMPDIR" # PostgreSQL runs as another user where this one is root
  trap 'rm -rf "$TMPDIR"' EXIT
fi

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
shared='^fairground/internal/(control|events|jobs|rest)$'
mapfile -t alone < <(go list ./... | grep -vE "$shared|/internal/rules$") # the rules are among the checks
mapfile -t together < <(go list ./... | grep -E "$shared")
# Without paths what was compiled, and passed, in one copy of the project is known in the next. The checks have vetted
# it. A package may take as long as a busy machine needs: ten minutes, the default, are not enough for the one that
# kills servers.
flags=(-trimpath -vet=off "-ldflags=-s -w" -timeout 60m)
go run ./scripts/tally go "$results/go.json" "${flags[@]}" "${alone[@]}" || status=1
go run ./scripts/tally go "$results/race.json" "${flags[@]}" "${race[@]}" "${together[@]}" || status=1

part "web units"
npm --prefix web test -- --reporter=default --reporter=json --outputFile.json="$PWD/$results/web.json" || status=1

part "browser journeys"
FAIRGROUND_RESULTS="$PWD/$results/e2e.json" npm --prefix e2e test || status=1

part "all tests"
go run ./scripts/tally sum "$results" || status=1
exit $status
