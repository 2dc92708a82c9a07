"""Replays a case through a Python function.

    python3 python_function.py MODULE:RUN [MODULE:SCORE]

RUN(replay_input, system_prompt, session_id) runs the agent once and returns its
reply. SCORE(case, reply) returns the scores, a dict of metric -> number from 0
to 1. Without SCORE the harness scores the session, so give RUN's session_id to
whatever records it.
"""

import importlib
import json
import os
import sys
import uuid


def function(name):
    """Finds MODULE:FUNCTION, looking in the current folder first."""
    module, _, attribute = name.partition(":")
    sys.path.insert(0, os.getcwd())
    return getattr(importlib.import_module(module), attribute)


def read(variable):
    with open(os.environ[variable], encoding="utf-8") as file:
        return file.read()


def main(run, score=None):
    # Only the answer may stand on standard output: what the agent and its
    # children print there goes to the log.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    case = json.loads(read("HARNESS_CASE_FILE"))
    answer = {"session_id": f"replay-{uuid.uuid4()}"}
    reply = function(run)(case["replay_input"], read("HARNESS_CONTEXT_FILE"), answer["session_id"])
    if score:
        answer["scores"] = function(score)(case, reply)
    print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
