#!/usr/bin/env bash
# Runs every benchmark and prints one table of ratios. Use an idle machine. A missed budget does not make the command fail.
set -uo pipefail
cd "$(dirname "$0")/.."

mkdir -p bench/results
rm -f bench/results/*.md
status=0

go run ./bench/ledger || status=1
go run ./bench/history || status=1
go run ./bench/members || status=1
go run ./bench/message || status=1
go run ./bench/http || status=1
go run ./bench/vendor || status=1
go run ./bench/cashier || status=1
go run ./bench/table || status=1
go run ./bench/stream || status=1
go run ./bench/lottery -bets 1000000 -per-order 100 || status=1
go run ./bench/fairness || status=1
npm --prefix bench/web run --silent bench || status=1

{
  echo "| what | measured | budget | held |"
  echo "|---|---|---|---|"
  grep -h '^|' bench/results/ledger.md bench/results/history.md bench/results/members.md bench/results/message.md bench/results/http.md bench/results/vendor.md bench/results/cashier.md bench/results/live.md bench/results/stream.md bench/results/lottery.md bench/results/fairness.md bench/results/web.md 2>/dev/null |
    grep -vE '^\| *(what|---)|^\|-' || true
} | tee bench/results/table.md
exit $status
