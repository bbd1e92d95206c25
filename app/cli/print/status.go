package print

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
)

// Status is an exit code of a command and what it means there.
type Status struct {
	Code    Exit
	Meaning string
}

// commonStatus holds for every command that doesn't say otherwise.
var commonStatus = map[Exit]string{
	Done:        "Success.",
	Failed:      "The command failed.",
	Usage:       "The arguments or the configuration are wrong.",
	Interrupted: "A signal interrupted the command.",
}

const statusPrefix = "exit_status_"

// SetStatus documents what an exit code of a command means.
func SetStatus(c *cobra.Command, code Exit, meaning string) {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[statusPrefix+strconv.Itoa(int(code))] = meaning
}

// StatusOf lists the exit codes of a command in order.
func StatusOf(c *cobra.Command) []Status {
	meanings := maps.Clone(commonStatus)
	for _, code := range []Exit{Done, Failed, Usage, Denied, NeedsApproval, Interrupted} {
		if meaning, ok := c.Annotations[statusPrefix+strconv.Itoa(int(code))]; ok {
			meanings[code] = meaning
		}
	}
	out := []Status{}
	for code, meaning := range meanings {
		out = append(out, Status{code, meaning})
	}
	slices.SortFunc(out, func(a, b Status) int { return cmp.Compare(a.Code, b.Code) })
	return out
}
