package document

import (
	"context"
	"slices"
	"strconv"
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
	return tool.NewError(tool.ExecutionError, "no_match", message.New("browser.no_match", "locator", l.Message())).
		WithAlternative(message.New("browser.use_snapshot"))
}

// ambiguousError lists the matches of a locator, each with a ref and the details that
// distinguish it.
func (d *Document) ambiguousError(ctx context.Context, l locator.Locator, found []Match) error {
	d.Refs.Begin()
	var lines []message.Message
	var details []string
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
		ref := d.Refs.Add(m.Frame, n)
		line := message.New("browser.candidate", "element", e.Message(), "ref", ref)
		detail := identityOf(e.Role, e.Name).String() + " [ref=" + ref + "]"
		if in := Container(n); in != (locator.Identity{}) {
			line = message.New("browser.candidate_in", "candidate", line, "container", in.Message())
			detail += " in " + in.String()
		}
		if m.Frame.Parent != nil {
			line = message.New("browser.candidate_in_frame", "candidate", line, "url", address.Display(m.Frame.URL))
			detail += " in the frame " + strconv.Quote(address.Display(m.Frame.URL))
		}
		lines, details = append(lines, line), append(details, detail)
	}
	if more := len(found) - len(lines); more > 0 {
		lines = append(lines, message.New("browser.more_candidates", "count", more))
	}
	e := tool.NewError(tool.ExecutionError, "ambiguous", message.New("browser.ambiguous", "count", len(found), "locator", l.Message(), "candidates", lines)).
		WithAlternative(message.New("browser.narrow_locator"))
	e.Details = details
	return e
}

var containers = []string{"form", "dialog", "alertdialog", "region", "navigation", "main", "banner", "contentinfo", "complementary", "article", "row", "listitem", "group", "table", "list"}

// Container returns the role and name of the container of a node, or the zero
// Identity.
func Container(n *axtree.Node) locator.Identity {
	for up := n.Parent; up != nil; up = up.Parent {
		role := strings.ToLower(up.Role)
		if !slices.Contains(containers, role) {
			continue
		}
		if up.Name != "" {
			return identityOf(role, up.Name)
		}
		if text := up.Text(); text != "" && len(text) < 60 && text != locator.Collapse(n.Name) {
			return identityOf(role, text)
		}
	}
	return locator.Identity{}
}
