package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"errand/host/browser/axtree"
	"errand/host/browser/locator"
	"errand/host/tool"
)

// maxCandidates is how many matches an error lists.
const maxCandidates = 10

func (d *document) noMatch(l locator.Locator) *tool.Error {
	return tool.Errorf(tool.ExecutionError, "no_match", "nothing on the page is %s", l).
		WithHint("browser.snapshot shows what there is")
}

// ambiguous lists what a locator names, with a ref for each and with what tells
// them apart.
func (d *document) ambiguous(ctx context.Context, l locator.Locator, found []match) error {
	d.refs.begin()
	var lines []string
	trees := map[*frame]*axtree.Node{}
	for _, m := range found[:min(len(found), maxCandidates)] {
		e, err := d.hold(ctx, m)
		if err == nil {
			err = e.learn(ctx)
		}
		if err != nil {
			return err
		}
		if _, read := trees[m.frame]; !read {
			trees[m.frame], _, _ = m.frame.tree(ctx) // without it they are told apart by their names alone
		}
		n := trees[m.frame].Find(string(m.frame.id), int64(e.backend))
		if n == nil {
			n = &axtree.Node{Role: e.role, Name: e.name, Backend: int64(e.backend), Frame: string(m.frame.id)}
		}
		line := e.String() + " [ref=" + d.refs.add(m.frame, n) + "]"
		if in := container(n); in != "" {
			line += " in " + in
		}
		if m.frame.parent != nil {
			line += " in the frame " + quote(m.frame.url)
		}
		lines = append(lines, line)
	}
	if more := len(found) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	e := tool.Errorf(tool.ExecutionError, "ambiguous", "%d elements are %s: %s", len(found), l, strings.Join(lines, "; ")).
		WithHint("use a ref, a longer text, exact, within or nth")
	e.Details = lines
	return e
}

var containers = []string{"form", "dialog", "alertdialog", "region", "navigation", "main", "banner", "contentinfo", "complementary", "article", "row", "listitem", "group", "table", "list"}

// container names what a node is in.
func container(n *axtree.Node) string {
	for up := n.Parent; up != nil; up = up.Parent {
		role := strings.ToLower(up.Role)
		if !slices.Contains(containers, role) {
			continue
		}
		if up.Name != "" {
			return title(role, up.Name)
		}
		if text := up.Text(); text != "" && len(text) < 60 && text != locator.Collapse(n.Name) {
			return title(role, text)
		}
	}
	return ""
}
