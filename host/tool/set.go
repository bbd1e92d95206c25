package tool

import (
	"errors"
	"maps"
	"slices"

	"errand/planner/message"
)

// Set is the set of a program's tools, by name. It is built once; after that it is safe
// for concurrent use. The zero Set is empty.
type Set struct {
	// Off are tools that exist and can't be used, for errors. Set it before the first use.
	Off   []Off
	tools map[string]Tool
}

// NewSet returns a set. It reports all invalid specs and duplicate names.
func NewSet(tools ...Tool) (*Set, error) {
	s := &Set{tools: make(map[string]Tool, len(tools))}
	var errs []error
	for _, t := range tools {
		spec := t.Spec()
		if err := spec.Validate(); err != nil {
			errs = append(errs, err)
			continue
		}
		if other, twice := s.tools[spec.Name]; twice {
			errs = append(errs, message.Error("call.duplicate_tool", "name", spec.Name, "source", other.Spec().Source, "other", spec.Source))
			continue
		}
		s.tools[spec.Name] = t
	}
	return s, errors.Join(errs...)
}

// Get returns the tool with the given name.
func (s *Set) Get(name string) (Tool, bool) {
	t, ok := s.tools[name]
	return t, ok
}

// Unknown is [UnknownTool] for a name that the set does not have.
func (s *Set) Unknown(class Class, name string) *Error {
	return UnknownTool(class, name, s.Specs(), s.Off)
}

// Specs returns the specs of the tools, sorted by name.
func (s *Set) Specs() []Spec {
	specs := make([]Spec, 0, len(s.tools))
	for _, n := range slices.Sorted(maps.Keys(s.tools)) {
		specs = append(specs, s.tools[n].Spec())
	}
	return specs
}
