package schema

import (
	"errand/host/tool"
	"errand/planner/message"
)

// Fault is one error in arguments.
type Fault struct {
	Place   string // a JSON pointer; empty for the arguments as a whole
	Message message.Message
}

// Faults returns the errors that an error of [Checker.Check] lists.
func Faults(e *tool.Error) []Fault {
	m, ok := e.Message.Params["faults"].(message.Message)
	if !ok {
		m = e.Message
	}
	var out []Fault
	for m.Code == "schema.several_faults" {
		first, _ := m.Params["fault"].(message.Message)
		out = append(out, faultOf(first))
		m, _ = m.Params["rest"].(message.Message)
	}
	return append(out, faultOf(m))
}

func faultOf(m message.Message) Fault {
	place, _ := m.Params["place"].(string)
	return Fault{place, m}
}
