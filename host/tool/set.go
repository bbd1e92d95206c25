package tool

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Set is the tools that a program has, by name. It is built once and read by
// many goroutines afterwards. The zero Set is empty.
type Set struct {
	tools map[string]Tool
}

// NewSet makes a set. A bad spec or two tools of one name are errors; all of
// them are reported.
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
			errs = append(errs, fmt.Errorf("tool %s is defined by both %s and %s", spec.Name, other.Spec().Source, spec.Source))
			continue
		}
		s.tools[spec.Name] = t
	}
	return s, errors.Join(errs...)
}

// Get finds a tool by name.
func (s *Set) Get(name string) (Tool, bool) {
	t, ok := s.tools[name]
	return t, ok
}

// Specs lists what the tools say of themselves, sorted by name.
func (s *Set) Specs() []Spec {
	specs := make([]Spec, 0, len(s.tools))
	for _, n := range slices.Sorted(maps.Keys(s.tools)) {
		specs = append(specs, s.tools[n].Spec())
	}
	return specs
}
