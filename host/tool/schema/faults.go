package schema

import (
	"errand/host/tool"
	"errand/planner/message"
)

// Problem is one error in arguments.
type Problem struct {
	Place   string // a JSON pointer; empty for the arguments as a whole
	Message message.Message
}

// Problems returns the errors that an error of [Checker.Check] lists.
func Problems(e *tool.Error) []Problem {
	m, ok := e.Message.Params["faults"].(message.Message)
	if !ok {
		m = e.Message
	}
	var out []Problem
	for m.Code == "schema.several_faults" {
		first, _ := m.Params["fault"].(message.Message)
		out = append(out, faultOf(first))
		m, _ = m.Params["rest"].(message.Message)
	}
	return append(out, faultOf(m))
}

func faultOf(m message.Message) Problem {
	place, _ := m.Params["place"].(string)
	return Problem{place, m}
}
