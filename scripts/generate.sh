#!/usr/bin/env bash
# Writes the API document, the web client's types and the codes below FOLDER, or into the project without one.
#
#   scripts/generate.sh [FOLDER]
#
# sqlc writes the database queries: see `make generate`.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-.}
mkdir -p "$folder/docs" "$folder/web/src/api" "$folder/e2e/support"

# The document is written in one step, so that a failed build leaves the old one.
document=$(go run ./cmd/fairground openapi)
printf '%s\n' "$document" >"$folder/docs/openapi.json"
web/openapi/node_modules/.bin/openapi-typescript "$folder/docs/openapi.json" --output "$folder/web/src/api/schema.d.ts" >/dev/null
go run ./scripts/codes "$folder"
