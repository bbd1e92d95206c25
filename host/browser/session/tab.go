package session

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"errand/host/browser/page"
	"errand/host/tool"
	"errand/planner/message"
)

// Which says which tab is meant, by one of its fields. The zero Which is the current tab.
type Which struct {
	ID     string // such as "t2"
	Number int    // in the order of opening, from 1
	To     string // one of [Directions]
	Words  string // of the title or the host, in any case
}

// Directions are the values of [Which.To]. Next and previous go around at the ends.
var Directions = []string{"next", "previous", "first", "last"}

// count returns the number of fields that are set.
func (w Which) count() int {
	n := 0
	for _, set := range []bool{w.ID != "", w.Number != 0, w.To != "", w.Words != ""} {
		if set {
			n++
		}
	}
	return n
}

// FindTab returns the tab that is meant. If the words fit several tabs, the error lists them.
func FindTab(ctx context.Context, b *page.Browser, w Which) (*page.Tab, error) {
	switch {
	case w.count() > 1:
		return nil, tool.NewError(tool.ValidationError, "invalid_args", message.New("browser.which_tab_twice"))
	case w.count() == 0:
		return b.CurrentTab()
	case w.ID != "":
		return b.TabByID(w.ID)
	}
	if _, err := b.CurrentTab(); err != nil {
		return nil, err
	}
	tabs, err := b.Tabs(ctx)
	if err != nil {
		return nil, err
	}
	at, err := choose(tabs, w)
	if err != nil {
		return nil, err
	}
	return b.TabByID(tabs[at].ID)
}

// OtherTabs returns all tabs but one.
func OtherTabs(ctx context.Context, b *page.Browser, but *page.Tab) ([]*page.Tab, error) {
	tabs, err := b.Tabs(ctx)
	if err != nil {
		return nil, err
	}
	var others []*page.Tab
	for _, i := range tabs {
		t, err := b.TabByID(i.ID)
		if err != nil {
			return nil, err
		}
		if t != but {
			others = append(others, t)
		}
	}
	return others, nil
}

// choose returns the index of the tab that is meant.
func choose(tabs []page.TabInfo, w Which) (int, error) {
	current := slices.IndexFunc(tabs, func(t page.TabInfo) bool { return t.Current })
	switch {
	case w.Number > len(tabs) || w.Number == 0 && len(tabs) == 0:
		return 0, noSuchTab(message.New("browser.no_tab_number", "number", w.Number, "count", len(tabs)), tabs)
	case w.Number > 0:
		return w.Number - 1, nil
	case w.Words != "":
		return byWords(tabs, w.Words)
	case w.To == "first":
		return 0, nil
	case w.To == "last":
		return len(tabs) - 1, nil
	case len(tabs) < 2:
		return 0, noSuchTab(message.New("browser.no_other_tab"), nil)
	case w.To == "previous":
		return (current + len(tabs) - 1) % len(tabs), nil
	}
	return (current + 1) % len(tabs), nil
}

// byWords finds the tab whose title or host has the words. A tab whose whole title they are wins;
// otherwise one that is not the current one.
func byWords(tabs []page.TabInfo, words string) (int, error) {
	words = fold(words)
	var whole, fit []int
	for i, t := range tabs {
		host := ""
		if u, err := url.Parse(t.URL); err == nil {
			host = strings.TrimPrefix(u.Hostname(), "www.")
		}
		switch title := fold(t.Title); {
		case title == words || host == words:
			whole = append(whole, i)
		case strings.Contains(title, words) || strings.Contains(host, strings.ReplaceAll(words, " ", "")):
			fit = append(fit, i)
		}
	}
	for _, found := range [][]int{whole, fit} {
		if len(found) > 1 {
			found = slices.DeleteFunc(found, func(i int) bool { return tabs[i].Current })
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			return 0, tool.NewError(tool.ExecutionError, "ambiguous_tab", message.New("browser.ambiguous_tab", "words", words)).
				WithAlternative(message.New("browser.tabs_are", "tabs", list(tabs, found)))
		}
	}
	return 0, noSuchTab(message.New("browser.no_tab_with_words", "words", words), tabs)
}

func noSuchTab(m message.Message, tabs []page.TabInfo) *tool.Error {
	err := tool.NewError(tool.ExecutionError, "no_such_tab", m)
	if len(tabs) == 0 {
		return err
	}
	all := make([]int, len(tabs))
	for i := range all {
		all[i] = i
	}
	return err.WithAlternative(message.New("browser.tabs_are", "tabs", list(tabs, all)))
}

// maxListed bounds the tabs that an error lists.
const maxListed = 10

// list names tabs by their numbers and titles.
func list(tabs []page.TabInfo, which []int) []message.Message {
	var out []message.Message
	for _, i := range which[:min(len(which), maxListed)] {
		name := tabs[i].Title
		if name == "" {
			name = tabs[i].URL
		}
		out = append(out, message.New("browser.tab_listed", "number", i+1, "title", name))
	}
	return out
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
