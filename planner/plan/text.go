package plan

import "strings"

// utf8 replaces invalid UTF-8 in every text except arguments and messages. JSON can't represent it,
// so the plan would change in a round trip. c must be a copy. Invalid arguments are
// rejected instead, because a tool would use them; messages are valid once made.
func (c *Content) utf8() {
	mend := func(texts ...*string) {
		for _, s := range texts {
			*s = strings.ToValidUTF8(*s, "\uFFFD")
		}
	}
	mend(&c.Domain, &c.Language, &c.Inputs.RawText)
	if v := c.Inputs.Voice; v != nil {
		mend(&v.FileID, &v.Transcript)
	}
	for i := range c.Entities {
		e := &c.Entities[i]
		mend(&e.Kind, &e.Query, &e.SelectedID)
		for j := range e.Candidates {
			x := &e.Candidates[j]
			mend(&x.ID, &x.Name, &x.Subtitle, &x.URL)
		}
	}
	for i := range c.Actions {
		a := &c.Actions[i]
		mend(&a.ExpectedEffect, &a.IdempotencyScope)
	}
	for i := range c.Modules {
		m := &c.Modules[i]
		mend(&m.ID, &m.Name, &m.Objective, &m.Status)
		for j := range m.ContextRefs {
			mend(&m.ContextRefs[j])
		}
	}
	for i := range c.NeedsClarification {
		q := &c.NeedsClarification[i]
		mend(&q.ID)
		for j := range q.Choices {
			mend(&q.Choices[j].Value)
		}
	}
}
