package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"errand/app/cli/help"
	"errand/app/cli/print"
)

// ownStatus has codes of texts for exit codes that mean something else in a command,
// or that not every command has.
var ownStatus = map[string]map[print.Exit]string{
	"run":       runStatus,
	"ask":       runStatus,
	"demo":      runStatus,
	"approve":   runStatus,
	"resume":    runStatus,
	"undo":      runStatus,
	"plan":      {print.Done: "help.exit.planned", print.Failed: "help.exit.not_planned", print.NeedsApproval: "help.exit.question"},
	"interpret": {print.Done: "help.exit.understood", print.Failed: "help.exit.not_understood", print.NeedsApproval: "help.exit.question"},
	"check":     {print.Failed: "help.exit.plan_differs"},
	"replay":    {print.Failed: "help.exit.replay_differs"},
	"doctor":    {print.Failed: "help.exit.check_failed"},

	"policy check":   verdictStatus,
	"policy explain": verdictStatus,

	"recipe check":   {print.Failed: "help.exit.recipe_wrong"},
	"plugin test":    {print.Failed: "help.exit.case_failed"},
	"plugin verify":  {print.Failed: "help.exit.plugin_differs"},
	"plugin call":    {print.Failed: "help.exit.plugin_error", print.Denied: "help.exit.call_denied"},
	"plugin install": installStatus,
	"plugin update":  installStatus,
}

var (
	runStatus = map[print.Exit]string{
		print.Done: "help.exit.goal_reached", print.Failed: "help.exit.goal_failed",
		print.Denied: "help.exit.denied_by_policy", print.NeedsApproval: "help.exit.draft_waits",
		print.Cancelled: "help.exit.cancelled",
	}
	verdictStatus = map[print.Exit]string{
		print.Done: "help.exit.allowed", print.Failed: "help.exit.not_resolved", print.Denied: "help.exit.denied", print.NeedsApproval: "help.exit.needs_approval",
	}
	installStatus = map[print.Exit]string{
		print.Denied: "help.exit.denied_by_policy", print.NeedsApproval: "help.exit.permissions_need_consent",
		print.Cancelled: "help.exit.cancelled",
	}
)

// documentStatus puts the exit codes of ownStatus into the commands.
func documentStatus(root *cobra.Command) {
	for _, c := range help.Commands(root) {
		for exit, code := range ownStatus[strings.TrimPrefix(c.CommandPath(), root.Name()+" ")] {
			print.SetStatus(c, exit, code)
		}
	}
}
