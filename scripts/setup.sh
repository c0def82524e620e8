#!/usr/bin/env bash
# Finds the programs that the project needs, installs them if possible, and prints one line about each missing one.
#
#   scripts/setup.sh go node postgres chromium   check each; installed_chromium does not accept the project's own Chromium
#   scripts/setup.sh room                        check for free disk space
#   scripts/setup.sh --path                      print the folders to put before PATH: "" or a list that ends in ":"
#   scripts/setup.sh --chromium                  print the path of the installed Chromium
#   scripts/setup.sh --own-chromium              print the path of the project's own Chromium if it runs, or else the installed one
#
# Tests set SETUP_ROOT, a prefix of all folders that are searched besides PATH.
set -euo pipefail
cd "$(dirname "$0")/.."

root=${SETUP_ROOT:-}
go_folders=("$root/usr/local/go/bin" "$root/usr/lib/go/bin" "$root/opt/homebrew/bin" "$root${HOME:-/nowhere}/sdk/go/bin")

fail() {
  echo "missing: $*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# apt_install installs packages on Debian or Ubuntu, as root.
apt_install() {
  have apt-get && [ "$(id -u)" = 0 ] || return 1
  echo "installing $* with apt" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1 && return 0
  apt-get update >/dev/null 2>&1 || return 1
  apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1
}

extra_path() {
  have go && return 0
  local folder
  for folder in "${go_folders[@]}"; do
    [ -x "$folder/go" ] && printf '%s:' "$folder" && return 0
  done
  return 0
}

# Go 1.21 and later downloads the version in go.mod unless GOTOOLCHAIN is local.
go_is_enough() {
  have go || return 1
  local version
  version=$(cd / && go env GOVERSION 2>/dev/null | sed -E 's/^go([0-9]+)\.([0-9]+).*/\1 \2/') || return 1
  read -r major minor <<<"$version"
  [ "${major:-0}" -gt 1 ] || [ "${minor:-0}" -ge 26 ] && return 0
  [ "${minor:-0}" -ge 21 ] && [ "$(go env GOTOOLCHAIN)" != local ]
}

need_go() {
  PATH="$(extra_path)$PATH"
  go_is_enough && return 0
  have go || apt_install golang-go || true
  go_is_enough && return 0
  if have go; then
    fail "Go 1.26 or newer ($(go env GOVERSION 2>/dev/null || echo 'this one') is too old); install a newer Go and run this again"
  fi
  fail "Go 1.26 or newer; install Go and run this again"
}

# Any Node that runs npm is enough: npm scripts run on the project's own Node.
need_node() {
  have node && have npm && return 0
  apt_install nodejs npm || true
  have node && have npm && return 0
  fail "Node.js with npm (any version from 18 on); install both and run this again"
}

postgres_folder() {
  local folder
  for folder in $(dirname "$(command -v initdb 2>/dev/null || echo /nowhere/initdb)") \
    "$root"/usr/lib/postgresql/*/bin "$root"/usr/pgsql-*/bin "$root/usr/local/pgsql/bin" "$root"/opt/homebrew/opt/postgresql*/bin; do
    [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ] && echo "$folder" && return 0
  done
  return 1
}

need_postgres() {
  postgres_folder >/dev/null && return 0
  apt_install postgresql || true
  postgres_folder >/dev/null && return 0
  fail "PostgreSQL's server programs (initdb, postgres), which the tests use; install PostgreSQL 15 or newer and run this again"
}

find_chromium() {
  local name
  if [ -n "${CHROMIUM_PATH:-}" ]; then
    [ -x "$CHROMIUM_PATH" ] || fail "CHROMIUM_PATH is $CHROMIUM_PATH, which is not a program"
    echo "$CHROMIUM_PATH"
    return 0
  fi
  for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
    command -v "$name" 2>/dev/null && return 0
  done
  for name in "$root/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
    "$root/Applications/Chromium.app/Contents/MacOS/Chromium" \
    .tools/browsers/chromium-*/chrome-linux*/chrome; do
    [ -x "$name" ] && (cd "$(dirname "$name")" && echo "$PWD/$(basename "$name")") && return 0
  done
  return 1
}

# The project's own Chromium has a fixed version, so that a browser update cannot fail the gate.
own_chromium() {
  [ -z "${CHROMIUM_PATH:-}" ] && [ -d e2e/node_modules/@sparticuz/chromium ] && have node || return 1
  local found
  found=$(node e2e/tools/chromium.mjs) && [ -n "$found" ] && echo "$found"
}

need_chromium() {
  if [ -n "${CHROMIUM_PATH:-}" ]; then
    find_chromium >/dev/null
    return 0
  fi
  [ -z "${FAIRGROUND_SOAK:-}" ] && own_chromium >/dev/null && return 0
  need_installed_chromium
}

# Lighthouse needs a full browser. The project's own Chromium is headless only.
need_installed_chromium() {
  find_chromium >/dev/null && return 0
  apt_install chromium || true
  find_chromium >/dev/null && return 0
  # Not root, or no such package: let Playwright download one into the project's folder.
  if [ -x e2e/node_modules/.bin/playwright ]; then
    echo "downloading Chromium for the browser tests" >&2
    PLAYWRIGHT_BROWSERS_PATH="$PWD/.tools/browsers" PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD='' \
      e2e/node_modules/.bin/playwright install chromium >/dev/null 2>&1 || true
  fi
  find_chromium >/dev/null && return 0
  fail "Chromium, which the browser tests use; install it, or set CHROMIUM_PATH to one, and run this again"
}

# A full disk causes confusing errors, so check for space first.
need_room() {
  local folder left
  for folder in . "${TMPDIR:-/tmp}" "${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}" "$(have go && go env GOCACHE || echo .)"; do
    while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
    left=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
    [ "${left:-0}" -gt 1000000 ] && continue
    echo "full: $folder has ${left:-0} KB left, building and testing need 1 GB; free some space and run this again" >&2
    exit 1
  done
}

case "${1:-}" in
--path) extra_path ;;
--chromium) find_chromium || fail "Chromium, which the browser tests use; install it, or set CHROMIUM_PATH to one, and run this again" ;;
--own-chromium) own_chromium || find_chromium || fail "Chromium, which the browser tests use; install it, or set CHROMIUM_PATH to one, and run this again" ;;
*)
  for need in "$@"; do
    case "$need" in
    go | node | postgres | chromium | installed_chromium | room) "need_$need" ;;
    *)
      echo "setup.sh: unknown requirement: $need" >&2
      exit 2
      ;;
    esac
  done
  ;;
esac
