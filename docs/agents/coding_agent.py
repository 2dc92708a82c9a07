"""Replays a case through the command line of a coding agent.

    python3 coding_agent.py AGENT [ARGUMENT...]

The replay_input is an object:

    repository  what git clones: a path or an address
    commit      the commit to start from
    task        what the agent is asked to do, on its standard input
    check       a shell command; it passes when the task is done

The agent works in a clone of its own, in a temporary folder. The rules go where
it looks for instructions: into AGENTS.md, or the file that RULES_FILE names. The
score is task_done: 1 when the check passes, else 0.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import uuid


def run(command, folder, **options):
    """Runs a command whose output goes to the log of the harness."""
    return subprocess.run(command, cwd=folder, stdout=sys.stderr, **options)


def check_out(repository, commit, folder):
    run(["git", "clone", "--quiet", "--no-checkout", repository, folder], None, check=True)
    run(["git", "checkout", "--quiet", "--detach", commit], folder, check=True)


def add_rules(folder):
    with open(os.environ["HARNESS_CONTEXT_FILE"], encoding="utf-8") as file:
        rules = file.read()
    path = os.path.join(folder, os.environ.get("RULES_FILE", "AGENTS.md"))
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"\n{rules}")


def replay(agent, case, folder):
    work = case["replay_input"]
    check_out(work["repository"], work["commit"], folder)
    add_rules(folder)
    # An agent that fails has shown nothing: the replay fails with it.
    run(agent, folder, input=work["task"].encode(), check=True)
    return run(work["check"], folder, shell=True, stdin=subprocess.DEVNULL).returncode == 0


def main(*agent):
    # At the time limit: end the agent, and let the folder be removed.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    with open(os.environ["HARNESS_CASE_FILE"], encoding="utf-8") as file:
        case = json.load(file)
    session = f"replay-{uuid.uuid4()}"
    os.environ["REPLAY_SESSION_ID"] = session  # for an agent that takes one
    with tempfile.TemporaryDirectory(prefix="replay-", ignore_cleanup_errors=True) as folder:
        done = replay(agent, case, folder)
    print(json.dumps({"session_id": session, "scores": {"task_done": 1 if done else 0}}))


if __name__ == "__main__":
    main(*sys.argv[1:])
