// Package lifecycle decides what becomes of learned rules: it adds them as
// candidates, gathers evidence on them from replays and live sessions, and
// promotes or retires them, with the exact reason in the journal.
//
// An [Engine] joins a workspace, its configuration and the means to run the
// user's agent again, an [Agent]: [CommandAgent] runs a command. Open the
// workspace and settle its configuration with [workspace.LoadConfig]; then
// [Engine.Validate] runs a round now. [Observer.Observe] handles reports of
// live sessions; [Engine.WantRound] has a round run in the background and
// [Engine.Drain] waits until none is wanted or running.
//
// Everything that is decided is decided on the state as it is under the
// workspace's write lock; a replay never runs under that lock.
//
// The rules of the game are described in docs/closed-loop.md and
// docs/replay.md.
package lifecycle
