package main

import "github.com/urfave/cli/v2"

func historyCommand(e *env) *cli.Command {
	return group("history", categoryTraffic, "show, adopt and write the score history", `
The scores of a session stand in its own files. The score history is the same as
one document, state/score_history.json, for other tools.`,
		historyShowCommand(e),
		historyAdoptCommand(e),
		historySyncCommand(e),
	)
}
