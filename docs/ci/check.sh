#!/bin/sh
# Judges the rules of this checkout and writes nothing but reports: for a pull
# request. Ends with 3 when a candidate would be retired.
#   check.sh [FLAGS OF VALIDATE]
set -eu
cd "${RULES_DIR:-.}"
exec pandaprobe-harness validate --check --junit reports/rules.xml --summary reports/rules.md "$@"
