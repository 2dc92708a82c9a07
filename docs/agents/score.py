"""Scores a replayed session with a Python function, as [score] command.

    python3 score.py MODULE:SCORES

SCORES(session_id) looks the session up where the agent has recorded it and
returns a dict of metric -> number from 0 to 1, or None for a metric that could
not be scored.
"""

import importlib
import json
import os
import sys


def main(scores):
    # Only the answer may stand on standard output.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    module, _, function = scores.partition(":")
    sys.path.insert(0, os.getcwd())
    answer = getattr(importlib.import_module(module), function)(os.environ["HARNESS_SESSION_ID"])
    print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
