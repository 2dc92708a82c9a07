// Package replayexec runs the user's commands: the replay command, the score
// command, and whatever else is a program of its own.
//
// It promises that a command ends at its time limit together with everything
// it started, that its output is bounded, that no process it leaves behind
// holds the caller up, and that each way to fail is told apart from the
// others. It knows nothing of rules, rounds or files of a workspace.
//
// Process-wide effects, which matter to programs that use it as a library: the
// first Run marks every inherited file descriptor from 3 up as close-on-exec,
// so that a command cannot hold the pipes of our own caller; and on Linux the
// process is a "child subreaper" while a Run is under way, so orphans of its
// other children may become its children during that time. They are neither
// killed nor reaped here.
//
// Limits. On Linux a process escapes that leaves the session, loses its parent,
// clears its environment and gives up the mark that it was born with, all before
// it is first looked at; elsewhere one that makes a session of its own does, and
// on Windows one that is started before its parent is put into the job. Nothing
// is killed when this process is itself killed by SIGKILL (but on Windows it is).
//
// The rules stand in docs/replay.md.
package replayexec
