package interpret

import (
	"errand/planner/interpret/command"
	"errand/planner/interpret/parse"
)

// parser splits a text into clauses and reads each of them.
type parser struct{ *command.Reader }

func newParser(t *parse.Text) *parser { return &parser{command.NewReader(t)} }
