package plan

import "strings"

// utf8 replaces invalid UTF-8 in every text except arguments and messages. JSON can't represent it,
// so the plan would change in a round trip. c must be a copy. Invalid arguments are
// rejected instead, because a tool would use them; messages are valid once made.
func (c *Content) utf8() {
	makeValid := func(texts ...*string) {
		for _, s := range texts {
			*s = strings.ToValidUTF8(*s, "\uFFFD")
		}
	}
	makeValid(&c.Domain, &c.Language, &c.Inputs.RawText)
	if v := c.Inputs.Voice; v != nil {
		makeValid(&v.FileID, &v.Transcript)
	}
	for i := range c.Entities {
		e := &c.Entities[i]
		makeValid(&e.Kind, &e.Query, &e.SelectedID)
		for j := range e.Candidates {
			x := &e.Candidates[j]
			makeValid(&x.ID, &x.Name, &x.Subtitle, &x.URL)
		}
	}
	for i := range c.Actions {
		a := &c.Actions[i]
		makeValid(&a.ExpectedEffect, &a.IdempotencyScope)
	}
	for i := range c.Modules {
		m := &c.Modules[i]
		makeValid(&m.ID, &m.Name, &m.Objective, &m.Status)
		for j := range m.ContextRefs {
			makeValid(&m.ContextRefs[j])
		}
	}
	for i := range c.NeedsClarification {
		q := &c.NeedsClarification[i]
		makeValid(&q.ID)
		for j := range q.Choices {
			makeValid(&q.Choices[j].Value)
		}
	}
}
