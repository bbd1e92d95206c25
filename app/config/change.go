package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"errand/planner/message"
	"errand/policy"
)

// Line is the line in errand.toml that results from a change: a new line for a key, or a
// rule to add.
type Line struct {
	Location message.Message `json:"where"` // "[policy] of /home/ann/.config/errand/errand.toml", …
	Text     string          `json:"text"`
}

// Line renders a change of policy for the file that the value comes from. It returns false
// if the change removes an entry that the user did not write.
func (l *Loaded) Line(c policy.Change) (Line, bool) {
	if c.Key == "rules" {
		return l.ruleLine(c)
	}
	lists := map[string][]string{
		"allowed_domains": l.Policy.AllowedDomains, "allow_private": l.Policy.AllowPrivate, "user_goal_tools": l.Policy.UserGoalTools,
	}
	list, known := lists[c.Key]
	if !known || c.Remove != "" && !slices.Contains(list, c.Remove) {
		return Line{}, false
	}
	list = slices.DeleteFunc(slices.Clone(list), func(entry string) bool { return c.Remove != "" && entry == c.Remove })
	value, err := literal(append(list, c.Add...))
	if err != nil {
		return Line{}, false
	}
	key := "policy." + c.Key
	if from := l.Source(key); strings.HasPrefix(from, "ERRAND_") {
		return Line{message.New("config.in_environment"), from + "=" + value}, true
	}
	return Line{message.New("config.in_table", "table", "[policy]", "file", l.Paths.File), c.Key + " = " + value}, true
}

func (l *Loaded) ruleLine(c policy.Change) (Line, bool) {
	if from := l.Source("policy.rules"); strings.HasPrefix(from, "ERRAND_") {
		return Line{}, false
	}
	if c.Rule == nil {
		where := message.New("config.at_rule", "number", c.Index+1, "file", l.Paths.File)
		if at := l.Source("policy.rules"); c.Index == 0 && strings.HasPrefix(at, filepath.Base(l.Paths.File)+":") {
			where = message.New("config.at_rule_line", "number", c.Index+1, "file", l.Paths.File, "line", at)
		}
		return Line{where, fmt.Sprintf("verdict = %q", c.To)}, c.Index < len(l.Policy.Rules)
	}
	text := "[[policy.rules]]"
	v := reflect.ValueOf(*c.Rule)
	for i := range v.NumField() {
		if key := v.Type().Field(i).Tag.Get("toml"); key == "verdict" || !v.Field(i).IsZero() {
			value, err := literal(v.Field(i).Interface())
			if err != nil {
				return Line{}, false
			}
			text += "\n" + key + " = " + value
		}
	}
	return Line{message.New("config.at_end", "file", l.Paths.File), text}, true
}
