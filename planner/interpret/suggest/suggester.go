// Package suggest offers goals to a user: completions of what is typed, and goals
// near to a text that the interpreter does not support. Every goal that it offers
// is understood by the interpreter.
package suggest

import (
	"sync"

	"errand/planner/interpret"
)

// Suggester offers goals. It is immutable and safe for concurrent use.
type Suggester struct {
	in     *interpret.Interpreter
	speech func() *speech // built at the first goal that is offered
}

// New returns a suggester of goals that the interpreter understands.
func New(in *interpret.Interpreter) *Suggester {
	return &Suggester{in: in, speech: sync.OnceValue(func() *speech {
		words := in.Words()
		return newSpeech(words.Catalogue.Names(), words.Packs)
	})}
}
