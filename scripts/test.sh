#!/usr/bin/env bash
# Runs the checks and tests in four parts. A failed part does not stop the others. The last line is the total: "N passed, N failed".
#
#   scripts/test.sh [PART...]          the gate; the parts are checks, go, web and browser, by default all of them
#   scripts/test.sh --soak [PART...]   the long and strict run: race detector everywhere, all journeys, no reruns
#
# The gate reruns a failed test up to twice and reports it as flaky if it then passes. Data races, panics and timeouts
# fail immediately. The time limit of a part only stops runs that hang.
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
  *) echo "test.sh: unknown part $name: use checks, go, web or browser" >&2 && exit 2 ;;
  esac
done

# Test databases are in memory if there is room. The path is fixed because Go's test cache depends on it.
memory=/dev/shm
if [ -w "$memory" ] && [ "$(df -Pk "$memory" | awk 'NR == 2 { print $4 }')" -gt 4000000 ]; then
  TMPDIR=$memory/fairground-test-$(id -u)
  export TMPDIR
  mkdir -p "$TMPDIR"
  chmod 1777 "$TMPDIR" # as root, PostgreSQL runs as another user
  exec 8>"$TMPDIR.lock"
  # Remove the files of killed runs unless another run uses the folder. testdb removes its own files.
  flock -n -x 8 && find "$TMPDIR" -mindepth 1 ! -path "$TMPDIR/postgres*" -delete
  flock -s 8
fi
scripts/setup.sh room || exit 1

mkdir -p .tools
exec 7>.tools/test.lock
flock -n 7 || { echo "busy: another test run uses this copy of the project; wait for it or use another copy" >&2 && exit 1; }

results=.tools/results
rm -rf "$results" && mkdir -p "$results"
status=0
runners=()
times=()
running=

# part RUNNER NAME SECONDS COMMAND... runs one part with a time limit.
part() {
  local runner=$1 name=$2 limit=$3 start code
  shift 3
  runners+=("$runner")
  start=$(date +%s)
  printf '\n—— %s\n' "$name"
  timeout -k 30 "$limit" "$@" 7>&- 8>&- &
  running=$!
  wait "$running"
  code=$?
  running=
  { [ $code -eq 124 ] || [ $code -eq 137 ]; } && echo "FAIL $name: stopped after $limit s"
  [ $code -ne 0 ] && status=1 && echo "$code" >"$results/$runner.exit"
  times+=("time: $name $(($(date +%s) - start)) s")
  return $code
}

is_selected() { [[ " ${parts[*]} " = *" $1 "* ]]; }

# gotests RUNNER NAME SECONDS FLAG... -- PACKAGE... runs Go tests.
gotests() {
  local runner=$1 name=$2 limit=$3 flags=() rerun=()
  shift 3
  while [ "$1" != -- ]; do flags+=("$1") && shift; done
  shift
  [ -n "$soak" ] || rerun=(--rerun-fails=2 --rerun-fails-max-failures=5 --rerun-fails-run-root-test --rerun-fails-abort-on-data-race)
  # -trimpath: all copies of the project share Go's caches. -vet=off: the checks run vet. -parallel: tests wait more than they compute.
  part "$runner" "$name" "$limit" gotestsum --format pkgname --format-hide-empty-pkg --hide-summary skipped --jsonfile "$results/$runner.json" \
    "${rerun[@]}" --packages "$*" -- -trimpath -vet=off "-ldflags=-s -w" -parallel=6 "${flags[@]}"
}

# start_database starts one PostgreSQL cluster for all test binaries. Its folder is fixed because Go's test cache depends on it.
# Other runs on the machine share the cluster. It stops with the last of them.
start_database() {
  local reply=
  FAIRGROUND_TEST_POSTGRES=/tmp/fairground-postgres-$(id -u)
  [[ ${TMPDIR:-} = "$memory"/* ]] && FAIRGROUND_TEST_POSTGRES=$TMPDIR/postgres
  export FAIRGROUND_TEST_POSTGRES
  go build -o .tools/testdb ./scripts/testdb || return 1
  coproc DATABASE { exec .tools/testdb "$FAIRGROUND_TEST_POSTGRES" 7>&- 8>&-; }
  database=$DATABASE_PID
  read -r -t 300 reply <&"${DATABASE[0]}"
  [ "$reply" = ready ]
}

stop_database() {
  [ -n "${database:-}" ] && kill "$database" 2>/dev/null && wait "$database" 2>/dev/null
  unset FAIRGROUND_TEST_POSTGRES database
}

# timeout runs its command in its own process group and forwards the signal to it.
trap 'trap - INT TERM HUP; [ -n "$running" ] && kill -TERM "$running" && wait "$running"; stop_database; exit 130' INT TERM HUP

if is_selected checks; then
  part checks checks 2400 scripts/check.sh "$results"
fi

if is_selected go; then
  race=(-race)
  detector="race detector"
  compiler=$(go env CC)
  if ! command -v "${compiler%% *}" >/dev/null 2>&1; then
    race=()
    detector="no race detector"
    echo "go: the race detector needs a C compiler and $compiler is missing: install it" | tee -a "$results/warnings"
    [ -n "$soak" ] && status=1
  fi
  mapfile -t all < <(go list ./... | grep -v '/internal/rules$') # the checks run internal/rules
  [ -n "$soak" ] || export RAPID_SEED=20260314 # property tests use the same random values in every gate
  if ! start_database; then
    echo "FAIL the PostgreSQL for the tests did not start; the reason is above"
    status=1
    runners+=(go) # without a report it counts as failed
  elif [ -n "$soak" ]; then
    gotests race "go, $detector" 5400 "${race[@]}" -tags=soak -count=1 -timeout=80m -- "${all[@]}"
  else
    # Go's own timeout is shorter than the part's limit, because it names the test that hangs.
    gotests go go 2100 -timeout=30m -- "${all[@]}"
    # The race detector runs on the packages whose goroutines share the most memory.
    mapfile -t shared < <(printf '%s\n' "${all[@]}" | grep -E '/internal/(platform/)?(batch|control|events|jobs|rest)$')
    gotests race "go, $detector" 1500 "${race[@]}" -timeout=20m -- "${shared[@]}"
    gotests queue "go, $detector, ledger queue" 1200 "${race[@]}" -timeout=15m \
      '-run=^(TestAbandonedPost|TestCloseFinishesAcceptedPosts|TestBadRow|TestLockedMember|TestSequentialPosts)' -- fairground/internal/ledger
  fi
  stop_database
  unset RAPID_SEED
fi

if is_selected web; then
  retry=(--retry.count=2 '--retry.condition=^(?!.*timed out)')
  [ -n "$soak" ] && retry=()
  part web web 1500 npm --prefix web test -- --reporter=default --reporter=json --outputFile.json="$PWD/$results/web.json" "${retry[@]}"
fi

if is_selected browser; then
  FAIRGROUND_RESULTS="$PWD/$results/e2e.json" part e2e browser $((soak ? 5400 : 2400)) npm --prefix e2e test
fi

printf '\n—— summary\n'
[ -s "$results/warnings" ] && sed 's/^/warn: /' "$results/warnings"
printf '%s\n' "${times[@]}"
node scripts/summary.mjs "$results" "${runners[@]}" || status=1
exit $status
