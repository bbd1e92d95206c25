package rego

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"

	"errand/planner/message"
)

// Found is one rule that holds.
type Found struct {
	Message string // of deny and ask
	Package string
	File    string
	Line    int
}

// Answer is what a policy answers: the rules that hold, in the order of their files and lines.
type Answer struct {
	Deny, Ask, Allow []Found
}

var errAnswer = message.Error("policy.rego_bad_answer")

// UnmarshalJSON reads [message, package, file, line]. A message of another type is kept as JSON.
func (f *Found) UnmarshalJSON(text []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	if len(parts) != 4 {
		return errAnswer
	}
	if json.Unmarshal(parts[0], &f.Message) != nil {
		f.Message = string(bytes.TrimSpace(parts[0]))
	}
	return errors.Join(json.Unmarshal(parts[1], &f.Package), json.Unmarshal(parts[2], &f.File), json.Unmarshal(parts[3], &f.Line))
}

// readAnswer reads the result of an evaluation.
func readAnswer(text []byte) (Answer, error) {
	var results []struct {
		Result *Answer `json:"result"`
	}
	if err := json.Unmarshal(text, &results); err != nil {
		return Answer{}, errors.Join(errAnswer, err)
	}
	if len(results) != 1 || results[0].Result == nil {
		return Answer{}, errAnswer
	}
	a := *results[0].Result
	for _, found := range [][]Found{a.Deny, a.Ask, a.Allow} {
		slices.SortFunc(found, func(x, y Found) int {
			return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Message, y.Message))
		})
	}
	return a, nil
}
