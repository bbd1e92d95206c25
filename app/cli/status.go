package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
)

// ownStatus has the exit codes that mean something else in a command, or that not
// every command has.
var ownStatus = map[string]map[print.Exit]string{
	"run":       runStatus,
	"demo":      runStatus,
	"approve":   runStatus,
	"resume":    runStatus,
	"undo":      runStatus,
	"plan":      {print.Done: "There is a plan, or nothing to do.", print.Failed: "There is no plan, or only for a part of the goal.", print.NeedsApproval: "A question must be answered first."},
	"interpret": {print.Done: "The text is understood.", print.Failed: "The text is not understood.", print.NeedsApproval: "A question must be answered first."},
	"check":     {print.Failed: "A plan differs from its case."},
	"replay":    {print.Failed: "The replay differs from the record."},
	"doctor":    {print.Failed: "A check failed."},

	"policy check":   verdictStatus,
	"policy explain": verdictStatus,

	"recipe check":   {print.Failed: "A recipe is wrong."},
	"plugin test":    {print.Failed: "A case failed."},
	"plugin verify":  {print.Failed: "A plugin differs from plugins.lock or can't run."},
	"plugin call":    {print.Failed: "The plugin answered with an error.", print.Denied: "Policy denied the call."},
	"plugin install": installStatus,
	"plugin update":  installStatus,
}

var (
	runStatus = map[print.Exit]string{
		print.Done: "The goal is reached.", print.Failed: "A step failed, or the goal can't be reached.",
		print.Denied: "Policy or you denied it.", print.NeedsApproval: "A draft waits for your approval or answer.",
	}
	verdictStatus = map[print.Exit]string{
		print.Done: "Allowed.", print.Failed: "A name can't be resolved.", print.Denied: "Denied.", print.NeedsApproval: "Needs approval.",
	}
	installStatus = map[print.Exit]string{
		print.Denied: "Policy or you denied it.", print.NeedsApproval: "The plugin's permissions need your agreement.",
	}
)

// documentStatus puts the exit codes of ownStatus into the commands.
func documentStatus(root *cobra.Command) {
	for _, c := range everyCommand(root) {
		for code, meaning := range ownStatus[strings.TrimPrefix(c.CommandPath(), root.Name()+" ")] {
			print.SetStatus(c, code, meaning)
		}
	}
}
