#!/usr/bin/env bash
# Mints the chains anew and records what each release of Go says about them.
# Usage: run.sh [RELEASE...]   e.g. run.sh go1.23.12 go1.25.4; the one that is installed is always asked.
# Each release runs with a go.mod of its own version: an older one would switch old behaviour on (GODEBUG defaults).
set -euo pipefail
cd "$(dirname "$0")"
data=$(cd ../../data/x509 && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp ./*.go "$work"
cd "$work"
printf 'module oracle\n\ngo 1.21\n' > go.mod
go run . generate > "$data/chains.json"
rm -f "$data"/answers-*.json
for release in local "$@"; do
    version=$(GOTOOLCHAIN=$release go env GOVERSION)
    minor=$(sed 's/^go1\.\([0-9]*\).*/\1/' <<< "$version")
    printf 'module oracle\n\ngo 1.%s\n' "$minor" > go.mod
    echo "go1.$minor" >&2
    GOTOOLCHAIN=$release go run . answer < "$data/chains.json" > "$data/answers-go1.$minor.json"
done
