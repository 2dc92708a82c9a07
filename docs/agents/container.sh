#!/bin/sh
# Replays a case in a container: the image gets the document of the harness on
# standard input and prints the answer, as any replay command does.
#   container.sh IMAGE [ARGUMENT...]
# DOCKER names another program, such as podman; DOCKER_FLAGS adds flags, such as
# "--network none".
set -eu
docker=${DOCKER:-docker}
name=replay-$HARNESS_CASE_ID-$$

# A container is no child of this script: unless it is told, it outlives the time
# limit. So docker runs in the background, where a signal is taken at once.
stop() {
	trap - TERM INT HUP
	"$docker" kill "$name" >/dev/null 2>&1 || true
	exit "$1"
}
trap 'stop 143' TERM
trap 'stop 130' INT
trap 'stop 129' HUP

# What runs in the background loses standard input, so it comes as descriptor 3.
exec 3<&0
# DOCKER_FLAGS is split into words on purpose.
# shellcheck disable=SC2086
"$docker" run --rm --init --interactive --name "$name" \
	--env HARNESS_IN_REPLAY --env HARNESS_CHECK --env HARNESS_CASE_ID --env HARNESS_CASE_KIND \
	--env HARNESS_RULE_ID --env HARNESS_REPLAY_TIMEOUT_S ${DOCKER_FLAGS:-} "$@" <&3 &
wait $!
