package policy

import "errand/planner/message"

// SettingError says what is wrong with an entry of a list in [Settings]. [New] joins
// one for each bad entry.
type SettingError struct {
	Key   string // allowed_domains, allow_private, rules or user_goal_tools
	Index int    // in the list
	Text  string // the entry; empty for a rule
	Cause error  // several are joined
}

func (e *SettingError) Error() string { return e.AsMessage().String() }
func (e *SettingError) Unwrap() error { return e.Cause }

// AsMessage names the entry and what is wrong with it.
func (e *SettingError) AsMessage() message.Message {
	if e.Key == "rules" {
		return message.New("policy.bad_rule", "index", e.Index, "cause", e.Cause)
	}
	return message.New("policy.bad_setting_entry", "key", e.Key, "index", e.Index, "entry", e.Text, "cause", e.Cause)
}
