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
	"errand/planner/message"
)

// maxCandidates is the maximum number of matches in an error.
const maxCandidates = 10

func (d *Document) NoMatchError(l locator.Locator) *tool.Error {
	return tool.NewError(tool.ExecutionError, "no_match", message.New("browser.no_match", "value", l)).
		WithHint(message.New("browser.browser_snapshot_shows_what"))
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
	e := tool.NewError(tool.ExecutionError, "ambiguous", message.New("browser.ambiguous", "count", len(found), "value", l, "value2", strings.Join(lines, "; "))).
		WithHint(message.New("browser.use_ref_longer_text"))
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
