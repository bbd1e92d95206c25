package config

import (
	"strconv"
	"strings"

	"errand/planner/message"
)

// Problem is one error in the configuration.
type Problem struct {
	Source  string          `json:"source"` // file name or environment variable
	Line    int             `json:"line"`   // starts at 1; 0 if unknown
	Key     string          `json:"key"`
	Message message.Message `json:"message"`
}

// AsMessage says what is wrong and where.
func (f Problem) AsMessage() message.Message {
	place := f.Source
	if f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
	}
	if f.Key == "" {
		return message.New("config.fault", "place", place, "fault", f.Message)
	}
	return message.New("config.fault_of_key", "place", place, "key", f.Key, "fault", f.Message)
}

// Problems lists every error, in the order of the file.
type Problems []Problem

// Error is for logs and tests, not for people.
func (f Problems) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.AsMessage().String()
	}
	return strings.Join(lines, "\n")
}

// AsMessage has a line for each fault.
func (f Problems) AsMessage() message.Message {
	lines := make([]message.Message, len(f))
	for i, fault := range f {
		lines[i] = fault.AsMessage()
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return message.New("message.lines", "lines", lines)
}

// RegoProblem is an error in a policy file as one of the configuration. file is empty if it is in no
// single file.
func (l *Loaded) RegoProblem(file string, line int, m message.Message) Problem {
	if file == "" {
		return Problem{l.Source("policy.rego"), 0, "policy.rego", m}
	}
	return Problem{file, line, "", m}
}
