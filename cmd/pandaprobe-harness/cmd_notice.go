package main

import "github.com/urfave/cli/v2"

func noticeCommand(e *env) *cli.Command {
	return group("notice", categoryTraffic, "list, read and acknowledge notices", `
A notice tells that a session went wrong in a way that was not told yet. It waits
in the mailbox until somebody, often the agent itself, acknowledges it.`,
		noticeListCommand(e),
		noticeReadCommand(e),
		noticeAckCommand(e),
	)
}
