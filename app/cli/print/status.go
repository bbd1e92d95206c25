package print

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"errand/planner/message"
)

// Status is an exit code of a command and its meaning there.
type Status struct {
	Code    Exit
	Meaning message.Message
}

// commonStatus has the codes of texts for every command that doesn't say otherwise.
var commonStatus = map[Exit]string{
	Done:        "help.exit.success",
	Failed:      "help.exit.failed",
	Usage:       "help.exit.usage",
	Interrupted: "help.exit.interrupted",
}

const statusPrefix = "exit_status_"

// SetStatus documents the meaning of a command's exit code by the code of a text.
func SetStatus(c *cobra.Command, code Exit, meaning string) {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[statusPrefix+strconv.Itoa(int(code))] = meaning
}

// StatusOf lists the exit codes of a command in order.
func StatusOf(c *cobra.Command) []Status {
	meanings := maps.Clone(commonStatus)
	for _, code := range []Exit{Done, Failed, Usage, Denied, NeedsApproval, Cancelled, Interrupted} {
		if meaning, ok := c.Annotations[statusPrefix+strconv.Itoa(int(code))]; ok {
			meanings[code] = meaning
		}
	}
	out := []Status{}
	for code, meaning := range meanings {
		out = append(out, Status{code, message.New(meaning)})
	}
	slices.SortFunc(out, func(a, b Status) int { return cmp.Compare(a.Code, b.Code) })
	return out
}
