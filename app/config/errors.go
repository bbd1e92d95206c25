package config

import (
	"fmt"
	"strings"
)

// Fault is one error in the configuration.
type Fault struct {
	Source  string `json:"source"` // file name or environment variable
	Line    int    `json:"line"`   // starts at 1; 0 if unknown
	Key     string `json:"key"`
	Message string `json:"message"`
}

func (f Fault) String() string {
	where := f.Source
	if f.Line > 0 {
		where = fmt.Sprintf("%s:%d", f.Source, f.Line)
	}
	if f.Key == "" {
		return where + ": " + f.Message
	}
	return where + ": " + f.Key + ": " + f.Message
}

// Faults lists every error, in the order of the file.
type Faults []Fault

func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}
