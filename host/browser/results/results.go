// Package results finds the entries on a page of search results without knowledge of the
// site: links that repeat in the same place and look like titles. It has no side effects.
package results

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"errand/host/browser/axtree"
	"errand/host/browser/locator"
)

// Row is one result.
type Row struct {
	Title string `json:"title"`
	URL   string `json:"url"`
	Text  string `json:"text,omitempty"` // other text of the entry, at most [MaxText]
}

// Limits of a row, in bytes.
const (
	MaxTitle = 300
	MaxText  = 300
)

// minLinks is the minimum number of links in a list without headings. A page with one result
// has one heading.
const minLinks = 3

// Find returns the results on a page in page order, without duplicate URLs. page is the
// page's own URL: links within it are not results. The time is linear in the page, except
// for the texts of the entries.
func Find(root *axtree.Node, page string) []Row {
	at, err := url.Parse(page)
	if err != nil {
		return nil
	}
	groups := map[string]*group{}
	var order []*group
	root.Walk(func(n *axtree.Node) bool {
		role := strings.ToLower(n.Role)
		if n.Hidden || slices.Contains(asideRoles, role) {
			return false
		}
		if role != "link" {
			return true
		}
		c, ok := newCandidate(n, at)
		if !ok {
			return true
		}
		key := c.shape()
		g := groups[key]
		if g == nil {
			g = &group{urls: map[string]int{}, links: map[*axtree.Node]string{}}
			groups[key], order = g, append(order, g)
		}
		g.add(c)
		return true
	})
	best := slices.MaxFunc(append([]*group{{}}, order...), func(a, b *group) int {
		return cmp.Compare(a.score(), b.score())
	})
	return best.rows()
}

// asideRoles are the parts of a page with links that are not results.
var asideRoles = []string{
	"navigation", "banner", "contentinfo", "complementary", "menu", "menubar", "toolbar", "tablist", "search", "form", "dialog", "alertdialog",
}

// candidate is a link that may be a result's title.
type candidate struct {
	link    *axtree.Node
	heading *axtree.Node // in the link, or directly around it; nil if there is none
	title   string
	url     string
	words   int
}

func newCandidate(n *axtree.Node, page *url.URL) (candidate, bool) {
	to, err := page.Parse(n.URL)
	if err != nil || n.URL == "" || to.Scheme != "http" && to.Scheme != "https" {
		return candidate{}, false
	}
	if to.Host == page.Host && to.Path == page.Path && (to.Fragment != "" || to.RawQuery == page.RawQuery || isPaging(to, page)) {
		return candidate{}, false
	}
	c := candidate{link: n, heading: findHeading(n), url: to.String()}
	if c.title = locator.Clip(text(n), MaxTitle); c.heading != nil {
		c.title = locator.Clip(text(c.heading), MaxTitle)
	}
	c.words = len(strings.Fields(c.title))
	return c, len([]rune(c.title)) > 1
}

// isPaging reports whether a link leads to another page of the same results: the path and
// the query are the same.
func isPaging(to, page *url.URL) bool {
	is, was := to.Query(), page.Query()
	same := 0
	for key := range was {
		if is.Get(key) == was.Get(key) {
			same++
		}
	}
	return same > 0
}

// findHeading returns the heading that makes a link a title: inside it, or around it without
// other links.
func findHeading(n *axtree.Node) *axtree.Node {
	var found *axtree.Node
	n.Walk(func(m *axtree.Node) bool {
		if found == nil && strings.EqualFold(m.Role, "heading") {
			found = m
		}
		return found == nil
	})
	if found != nil {
		return found
	}
	for up := n.Parent; up != nil; up = up.Parent {
		switch {
		case strings.EqualFold(up.Role, "heading"):
			return up
		case !up.Ignored && up.Role != "generic" && up.Role != "none":
			return nil
		}
	}
	return nil
}

// shape returns the position of a candidate as the roles on the path to it. Generic boxes
// don't count, because pages put different numbers of them around entries.
func (c candidate) shape() string {
	var roles []string
	for n := c.link; n != nil; n = n.Parent {
		role := strings.ToLower(n.Role)
		if n.Ignored || role == "" || role == "generic" || role == "none" {
			continue
		}
		roles = append(roles, role)
	}
	key := strings.Join(roles, "<")
	if c.heading != nil {
		key += " h" + strconv.Itoa(c.heading.Level)
	}
	return key
}

// group has the candidates with the same shape.
type group struct {
	all      []candidate
	urls     map[string]int // position in all
	links    map[*axtree.Node]string
	headings int
	letters  int
	many     int // number of titles with several words
	main     int
}

func (g *group) add(c candidate) {
	g.links[c.link] = c.url
	if i, twice := g.urls[c.url]; twice {
		if len(c.title) > len(g.all[i].title) { // the links of picture and title have the same target
			g.all[i] = c
		}
		return
	}
	g.urls[c.url] = len(g.all)
	g.all = append(g.all, c)
	if c.heading != nil {
		g.headings++
	}
	g.letters += min(len([]rune(c.title)), 60)
	if c.words > 1 {
		g.many++
	}
	for n := c.link.Parent; n != nil; n = n.Parent {
		if role := strings.ToLower(n.Role); role == "main" || role == "feed" {
			g.main++
			break
		}
	}
}

// score rates how much a group looks like results: its titles are headings or sentences,
// there are several, and they are in the main part.
func (g *group) score() float64 {
	n := len(g.all)
	if n == 0 || g.headings == 0 && n < minLinks {
		return 0
	}
	share := func(k int) float64 { return float64(k) / float64(n) }
	looks := 3*share(g.headings) + share(g.many) + share(g.main) + share(g.letters)/30
	return looks * (1 + float64(min(n, 10))/10)
}

func (g *group) rows() []Row {
	rows := make([]Row, len(g.all))
	for i, c := range g.all {
		rows[i] = Row{Title: c.title, URL: c.url, Text: g.entryText(c)}
	}
	return rows
}

// entryText returns the text of a candidate's entry without the title. The entry is the
// largest part of the page without another candidate.
func (g *group) entryText(c candidate) string {
	entry := c.link
	for up := c.link.Parent; up != nil && g.countEntries(up) == 1; up = up.Parent {
		entry = up
	}
	value := text(entry)
	if before, after, ok := strings.Cut(value, c.title); ok {
		value = strings.TrimSpace(before) + " " + strings.TrimSpace(after)
	}
	return locator.Clip(locator.Collapse(value), MaxText)
}

// countEntries returns the number of the group's entries below a node, at most two.
func (g *group) countEntries(n *axtree.Node) int {
	count := 0
	var first string
	n.Walk(func(m *axtree.Node) bool {
		if to, ok := g.links[m]; ok && to != first {
			count, first = count+1, to
		}
		return count < 2
	})
	return count
}

func text(n *axtree.Node) string {
	if s := n.Text(); s != "" {
		return s
	}
	return locator.Collapse(n.Name)
}
