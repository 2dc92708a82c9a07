#!/bin/sh
# Applies the verdicts on the main branch, looks for regressions, and pushes the
# state. Ends with the code of the first command that did not end with 0.
#   nightly.sh [BRANCH]
set -eu
cd "${RULES_DIR:-.}"
branch=${1:-main}
export HARNESS_WRITER="${HARNESS_WRITER:-ci}"
as_bot() { git -c user.name='rules bot' -c user.email=rules-bot@localhost "$@"; }

status=0
pandaprobe-harness validate --junit reports/rules.xml --summary reports/rules.md || status=$?
pandaprobe-harness regress --blame --junit reports/regress.xml --summary reports/regress.md || {
	code=$?
	[ "$status" -ne 0 ] || status=$code
}

if [ -z "$(git status --porcelain -- state)" ]; then
	echo 'the state has not changed'
	exit "$status"
fi
git add -A -- state
as_bot commit -q -m 'rules: nightly verdicts' -- state

# Others may have pushed meanwhile. Their state and this one merge by themselves.
tries=5
until git push -q origin "HEAD:$branch"; do
	tries=$((tries - 1))
	if [ "$tries" -eq 0 ]; then
		echo "cannot push the state to $branch" >&2
		exit 1
	fi
	as_bot pull -q --rebase origin "$branch"
done
exit "$status"
