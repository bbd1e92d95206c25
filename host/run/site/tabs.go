package site

import (
	"fmt"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/policy/website"
)

// tabs are the tabs of a run, as its steps open them. Pages can open further ones; a step that
// counts on another order fails, because its page is not on the named site.
type tabs struct {
	all     []tab
	current int // from 1; 0: unknown
}

type tab struct{ id, site string }

// follow applies a step. number is that of the tab that it opens.
func (t *tabs) follow(s Step, number int) {
	switch s.use() {
	case tool.OpensPage:
		t.all = append(t.all, tab{fmt.Sprintf("t%d", number), s.site()})
		t.current = len(t.all)
	case tool.SwitchesPage:
		t.current = t.find(s.Args["tab"])
	case tool.ClosesPage:
		t.close(s.Args["tab"])
	case tool.AwaitsPage, tool.ChecksPage:
		t.move(s.site())
	}
}

func (t *tabs) find(id any) int {
	return 1 + slices.IndexFunc(t.all, func(o tab) bool { return o.id == id })
}

// close closes a tab, nil: the current one. The one before it becomes the current one.
func (t *tabs) close(id any) {
	at := t.current
	if id != nil {
		at = t.find(id)
	}
	if at == 0 {
		if id == nil {
			t.current = 0
		}
		return
	}
	t.all = slices.Delete(t.all, at-1, at)
	switch {
	case len(t.all) == 0:
		t.current = 0
	case t.current == at:
		t.current = max(at-1, 1)
	case t.current > at:
		t.current--
	}
}

// move follows the current tab to the site of a page that a step requires.
func (t *tabs) move(site string) {
	if site == "" {
		return
	}
	if t.current == 0 {
		t.all = append(t.all, tab{})
		t.current = len(t.all)
	}
	c := &t.all[t.current-1]
	if host, isAny := strings.CutPrefix(site, "*://"); isAny && website.IsSame(c.site, "https://"+host) {
		return // it keeps the scheme
	}
	c.site = site
}

func (t *tabs) site() string {
	if t.current == 0 {
		return ""
	}
	return t.all[t.current-1].site
}
