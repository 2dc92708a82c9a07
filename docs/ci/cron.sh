#!/bin/sh
# The nightly run without a CI service: in a clone of its own, so that it meets
# no leftovers and disturbs nobody.
#   cron.sh REPOSITORY [BRANCH]
set -eu
repository=$1
branch=${2:-main}
clone=$(mktemp -d)
trap 'rm -rf "$clone"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
git clone -q --branch "$branch" "$repository" "$clone"
cd "$clone"
sh ci/nightly.sh "$branch"
