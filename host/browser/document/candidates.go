package document

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"errand/host/browser/address"
	"errand/host/browser/axtree"
	"errand/host/browser/locator"
	"errand/host/tool"
)

// maxCandidates is the maximum number of matches in an error.
const maxCandidates = 10

func (d *Document) NoMatchError(l locator.Locator) *tool.Error {
	return tool.Errorf(tool.ExecutionError, "no_match", "nothing on the page is %s", l).
		WithHint("browser.snapshot shows what there is")
}

// ambiguousError lists the matches of a locator, each with a ref and the details that
// distinguish it.
func (d *Document) ambiguousError(ctx context.Context, l locator.Locator, found []Match) error {
	d.Refs.Begin()
	var lines []string
	trees := map[*Frame]*axtree.Node{}
	for _, m := range found[:min(len(found), maxCandidates)] {
		e, err := d.Hold(ctx, m)
		if err == nil {
			err = e.Describe(ctx)
		}
		if err != nil {
			return err
		}
		if _, read := trees[m.Frame]; !read {
			trees[m.Frame], _, _ = m.Frame.Tree(ctx) // without the tree, use the names only
		}
		n := trees[m.Frame].Find(string(m.Frame.ID), int64(e.backend))
		if n == nil {
			n = &axtree.Node{Role: e.Role, Name: e.Name, Backend: int64(e.backend), Frame: string(m.Frame.ID)}
		}
		line := e.String() + " [ref=" + d.Refs.Add(m.Frame, n) + "]"
		if in := Container(n); in != "" {
			line += " in " + in
		}
		if m.Frame.Parent != nil {
			line += " in the frame " + address.Quote(m.Frame.URL)
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

// Container describes the container of a node.
func Container(n *axtree.Node) string {
	for up := n.Parent; up != nil; up = up.Parent {
		role := strings.ToLower(up.Role)
		if !slices.Contains(containers, role) {
			continue
		}
		if up.Name != "" {
			return describe(role, up.Name)
		}
		if text := up.Text(); text != "" && len(text) < 60 && text != locator.Collapse(n.Name) {
			return describe(role, text)
		}
	}
	return ""
}
