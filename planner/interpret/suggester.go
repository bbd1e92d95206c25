package interpret

import "sync"

// Suggester offers goals: completions of what is typed, and goals near to a text
// that is none. It is immutable and safe for concurrent use.
type Suggester struct {
	in     *Interpreter
	speech func() *speech // built at the first goal that is offered
}

// NewSuggester returns a suggester of goals that in understands.
func NewSuggester(in *Interpreter) *Suggester {
	return &Suggester{in: in, speech: sync.OnceValue(func() *speech {
		words := in.Words()
		return newSpeech(words.catalogue.Names(), words.packs)
	})}
}
