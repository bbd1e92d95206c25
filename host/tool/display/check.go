package display

import (
	"errors"
	"fmt"
	"slices"
)

// Check reports the first thing that is wrong with the description of a tool.
func (t Tool) Check() error {
	for _, args := range t.Summary {
		if len(args) == 0 {
			return errors.New("a summary names no arguments")
		}
	}
	if !slices.Contains(kinds, t.View.Kind) {
		return fmt.Errorf("view: there is no kind %q", t.View.Kind)
	}
	if t.View.Kind.mayBeEmpty() != (t.View.Key != "") {
		return fmt.Errorf("view: a view of kind %q and the key %q", t.View.Kind, t.View.Key)
	}
	if (t.View.Kind == List) != (t.View.Label != "") {
		return fmt.Errorf("view: a view of kind %q and the label %q", t.View.Kind, t.View.Label)
	}
	if (t.View.Kind == Sentence) != (len(t.View.Params) > 0) {
		return fmt.Errorf("view: a view of kind %q and the parameters %q", t.View.Kind, t.View.Params)
	}
	if (t.EmptyPart || t.NotFound) && !t.View.Kind.mayBeEmpty() {
		return fmt.Errorf("view: a view of kind %q is never empty", t.View.Kind)
	}
	return nil
}
