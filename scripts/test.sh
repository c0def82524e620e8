#!/usr/bin/env bash
# The gate: every check and test, in four parts. All parts run even when one fails; what failed stands at the end.
#
#   scripts/test.sh [PART…]          parts are checks, go, web, browser; all of them without a name
#   scripts/test.sh --soak [PART…]   the strict and long run: race detector everywhere, every look, no second tries
#
# In the gate a test that failed is run again and named as flaky when it then passes; a race, a panic or a time-out
# is never run again. Each part has a limit of its own, which is there to end what hangs.
set -uo pipefail
cd "$(dirname "$0")/.."

soak=
if [ "${1:-}" = --soak ]; then
  soak=1
  shift
  export FAIRGROUND_SOAK=1 FAIRGROUND_STRICT=1
fi
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(checks go web browser)
for name in "${parts[@]}"; do
  case "$name" in
  checks | go | web | browser) ;;
  *) echo "test.sh: no such part: $name (checks, go, web, browser)" >&2 && exit 2 ;;
  esac
done

# Databases that live for one test need no disk: where memory has room for them, they lie there. The path is always
# the same, because Go remembers results by it.
memory=/dev/shm
if [ -w "$memory" ] && [ "$(df -Pk "$memory" | awk 'NR == 2 { print $4 }')" -gt 4000000 ]; then
  TMPDIR=$memory/fairground-test-$(id -u)
  export TMPDIR
  mkdir -p "$TMPDIR"
  chmod 1777 "$TMPDIR" # PostgreSQL runs as another user where this one is root
  exec 8>"$TMPDIR.lock"
  # What a killed run left is removed by the next that has the folder to itself. testdb looks after its own files.
  flock -n -x 8 && find "$TMPDIR" -mindepth 1 ! -path "$TMPDIR/postgres*" -delete
  flock -s 8
fi
scripts/setup.sh room || exit 1

# Two runs in one copy of the project would remove each other's results and programs.
mkdir -p .tools
exec 7>.tools/test.lock
flock -n 7 || { echo "busy: another run of the tests is at work in this copy of the project; wait for it or use another copy" >&2 && exit 1; }

results=.tools/results
rm -rf "$results" && mkdir -p "$results"
status=0
runners=()
times=()
running=

# part RUNNER NAME LIMIT COMMAND… runs one part and notes how long it took. Its own process group ends with it.
part() {
  local runner=$1 name=$2 limit=$3 begin code
  shift 3
  runners+=("$runner")
  begin=$(date +%s)
  printf '\n—— %s\n' "$name"
  timeout -k 30 "$limit" "$@" 7>&- 8>&- &
  running=$!
  wait "$running"
  code=$?
  running=
  { [ $code -eq 124 ] || [ $code -eq 137 ]; } && echo "FAIL $name was ended after $limit s"
  [ $code -ne 0 ] && status=1 && echo "$code" >"$results/$runner.exit"
  times+=("time: $name $(($(date +%s) - begin)) s")
  return $code
}

wanted() { [[ " ${parts[*]} " = *" $1 "* ]]; }

# start_database gives all test binaries one PostgreSQL cluster. Its folder is always the same, because Go remembers results
# by it; another run on this machine uses the same cluster, which ends with the last of them.
start_database() {
  local said=
  FAIRGROUND_TEST_POSTGRES=/tmp/fairground-postgres-$(id -u)
  [[ ${TMPDIR:-} = "$memory"/* ]] && FAIRGROUND_TEST_POSTGRES=$TMPDIR/postgres
  export FAIRGROUND_TEST_POSTGRES
  go build -o .tools/testdb ./scripts/testdb || return 1
  coproc DATABASE { exec .tools/testdb "$FAIRGROUND_TEST_POSTGRES" 7>&- 8>&-; }
  database=$DATABASE_PID
  read -r -t 300 said <&"${DATABASE[0]}"
  [ "$said" = ready ] && return 0
  echo "FAIL the tests' PostgreSQL did not start; the reason stands above"
  echo '{"Failed":1,"Why":["go: the PostgreSQL of the tests did not start"]}' >"$results/go.json"
  return 1
}

stop_database() {
  [ -n "${database:-}" ] && kill "$database" 2>/dev/null && wait "$database" 2>/dev/null
  unset FAIRGROUND_TEST_POSTGRES database
}

# timeout leads a process group of its own and hands the signal on to it.
trap 'trap - INT TERM HUP; [ -n "$running" ] && kill -TERM "$running" && wait "$running"; stop_database; exit 130' INT TERM HUP

if wanted checks; then
  part checks checks 2400 scripts/check.sh "$results"
fi

if wanted go; then
  race=(-race)
  detector="race detector"
  compiler=$(go env CC)
  if ! command -v "${compiler%% *}" >/dev/null 2>&1; then
    race=()
    detector="no race detector"
    echo "go: without a C compiler ($compiler) the race detector cannot run; install one" | tee -a "$results/warnings"
    [ -n "$soak" ] && status=1
  fi
  # Without paths what was compiled, and passed, in one copy of the project is known in the next. The checks have
  # vetted it. Some tests wait for a process or a lock: more of them than there are cores run at once.
  flags=(-trimpath -vet=off "-ldflags=-s -w" -parallel=6)
  mapfile -t all < <(go list ./... | grep -v '/internal/rules$') # the rules are among the checks
  go build -o .tools/tally ./scripts/tally || exit 1
  [ -n "$soak" ] || export RAPID_SEED=20260314 # properties walk the same ways in every gate
  if ! start_database; then
    status=1
    runners+=(go)
  elif [ -n "$soak" ]; then
    part race "go, $detector" 5400 .tools/tally strict "$results/race.json" "${flags[@]}" "${race[@]}" -tags=soak -count=1 -timeout=80m "${all[@]}"
  else
    # Each limit is longer than Go's own, which names the test that hangs.
    part go go 2100 .tools/tally go "$results/go.json" "${flags[@]}" -timeout=30m "${all[@]}"
    # These share memory between goroutines the most.
    mapfile -t shared < <(printf '%s\n' "${all[@]}" | grep -E '/internal/(platform/)?(control|events|jobs|rest)$')
    part race "go, $detector" 1500 .tools/tally go "$results/race.json" "${flags[@]}" "${race[@]}" -timeout=20m "${shared[@]}"
    part queue "go, $detector, ledger's queue" 1200 .tools/tally go "$results/queue.json" "${flags[@]}" "${race[@]}" -timeout=15m \
      '-run=^(TestAbandonedPost|TestCloseAnswers|TestBadPost|TestLockedMember|TestLoneCaller)' fairground/internal/ledger
  fi
  stop_database
  unset RAPID_SEED
fi

if wanted web; then
  part web web 1500 npm --prefix web test -- --reporter=default --reporter=json --outputFile.json="$PWD/$results/web.json"
fi

if wanted browser; then
  FAIRGROUND_RESULTS="$PWD/$results/e2e.json" part e2e browser $((soak ? 5400 : 2400)) npm --prefix e2e test
fi

printf '\n—— all\n'
[ -s "$results/warnings" ] && sed 's/^/warn: /' "$results/warnings"
printf '%s\n' "${times[@]}"
go build -o .tools/tally ./scripts/tally || exit 1
.tools/tally sum "$results" "${runners[@]}" || status=1
exit $status
