package core

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/host/trace"
)

// runAgain is what to type for all of a goal or recipe once more, as a shell
// takes it.
func runAgain(words string, own Own) string {
	command := "errand run "
	if own.Demo {
		command = "errand demo "
	}
	if own.Recipe == "" {
		return command + quote(words)
	}
	command += "--recipe " + quote(own.Recipe)
	for _, name := range slices.Sorted(maps.Keys(own.Params)) {
		value := quote(own.Params[name])
		if redacted(own.Params[name]) { // the record lacks it
			value = "…"
		}
		command += fmt.Sprintf(" --param %s=%s", name, value)
	}
	return command
}

// quote is a value as a shell takes it.
func quote(value string) string {
	if value != "" && !strings.ContainsFunc(value, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:", r))
	}) {
		return value
	}
	return "'" + strings.ReplaceAll(shown(value), "'", `'\''`) + "'"
}

// ofRecipe reports whether the plan is a recipe's, also where the run goes on.
func (x *execution) ofRecipe() bool {
	if x.earlier == nil {
		return x.request.Recipe != nil
	}
	s, err := readSetting(x.earlier.Setting)
	return err == nil && s.Own.Given == GivenRecipe
}

// runRecordAgain is that of a recorded run.
func runRecordAgain(r trace.Run) string {
	s, err := readSetting(r.Setting)
	if err != nil { // an old record, of before the demo was told apart
		return runAgain(r.Goal, Own{})
	}
	return runAgain(r.Goal, s.Own)
}
