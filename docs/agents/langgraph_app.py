"""Replays a case through a LangGraph app.

    python3 langgraph_app.py MODULE:GRAPH [MODULE:SCORE]

GRAPH is a compiled graph whose state has "messages", or a function that makes
one. The replay_input is a text, or an object with "messages" and whatever else
the state takes. SCORE(case, messages) returns the scores, a dict of metric ->
number from 0 to 1; without it the harness scores the session, which is the
thread of the graph.
"""

import importlib
import json
import os
import sys
import uuid


def named(name):
    """Finds MODULE:NAME, looking in the current folder first."""
    module, _, attribute = name.partition(":")
    sys.path.insert(0, os.getcwd())
    return getattr(importlib.import_module(module), attribute)


def read(variable):
    with open(os.environ[variable], encoding="utf-8") as file:
        return file.read()


def first_state(replay_input, rules):
    """The captured input, with the rules in front as a system message."""
    if isinstance(replay_input, str):
        replay_input = {"messages": [{"role": "user", "content": replay_input}]}
    system = {"role": "system", "content": rules}
    return {**replay_input, "messages": [system, *replay_input["messages"]]}


def main(graph, score=None):
    # Only the answer may stand on standard output.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    case = json.loads(read("HARNESS_CASE_FILE"))
    app = named(graph)
    if not hasattr(app, "invoke"):
        app = app()
    # A thread of its own: a checkpointer must not bring back an earlier run.
    session = f"replay-{uuid.uuid4()}"
    config = {"configurable": {"thread_id": session}, "recursion_limit": 50}
    state = app.invoke(first_state(case["replay_input"], read("HARNESS_CONTEXT_FILE")), config)

    answer = {"session_id": session}
    if score:
        answer["scores"] = named(score)(case, state["messages"])
    print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
