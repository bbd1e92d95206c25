package setting

import (
	"fmt"
	"maps"
	"slices"

	"errand/app/answers"
	"errand/app/secrets"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// RunCommand is the shell command that runs a goal or recipe once more.
func RunCommand(words string, own RunSetting) string {
	command := "errand run "
	switch {
	case own.Origin == plan.Agent:
		command = "errand ask "
	case own.Demo:
		command = "errand demo "
	}
	if own.Recipe == "" {
		return command + quote(words)
	}
	command += "--recipe " + quote(own.Recipe)
	for _, name := range slices.Sorted(maps.Keys(own.Params)) {
		value := quote(own.Params[name])
		if secrets.IsMarked(own.Params[name]) { // the record lacks it
			value = "…"
		}
		command += fmt.Sprintf(" --param %s=%s", name, value)
	}
	return command
}

// quote is a value as a shell takes it, on one line and clipped.
func quote(value string) string {
	return message.ShellWord(answers.FormatValue(value))
}

// CommandOf is the shell command that runs the goal of a recorded run once more.
func CommandOf(r trace.Run) string {
	s, err := Read(r.Setting)
	if err != nil { // an old record that doesn't mark the demo
		return RunCommand(r.Goal, RunSetting{})
	}
	return RunCommand(r.Goal, s.Run)
}
