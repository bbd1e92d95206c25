package interpret

import (
	"errand/planner/interpret/control"
	"errand/planner/interpret/files"
	"errand/planner/interpret/page"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/refusal"
	"errand/planner/interpret/tabs"
	"errand/planner/interpret/topic"
	"errand/planner/interpret/web"
)

// parser splits a text into clauses and reads each of them.
type parser struct{ *commandReader }

func newParser(t *parse.Text) *parser {
	c := &commandReader{Text: t, web: &web.Reader{Text: t}, files: &files.Reader{Text: t}}
	c.page = &page.Reader{Text: t, Web: c.web, Commands: c}
	c.web.Commands = c
	c.topic = &topic.Reader{Text: t, Web: c.web}
	c.tabs = &tabs.Reader{Text: t}
	c.control = &control.Reader{Text: t, Web: c.web}
	c.refusal = &refusal.Reader{Text: t}
	return &parser{c}
}
