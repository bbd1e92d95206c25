package catalogue

import "errand/planner/message"

// EntryError says what is wrong with a site or an app. [New] joins one for each fault.
type EntryError struct {
	Kind   string // site or app
	ID     string
	Field  string // as in TOML, such as "home" or "results.row"
	Reason message.Message
}

func (e *EntryError) Error() string { return e.AsMessage().String() }

// AsMessage names the entry and what is wrong with it.
func (e *EntryError) AsMessage() message.Message {
	return message.New("catalogue.bad_entry", "kind", e.Kind, "id", e.ID, "field", e.Field, "fault", e.Reason)
}
