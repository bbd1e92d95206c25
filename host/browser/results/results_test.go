package results

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/browser/axtree"
)

// page reads an outline. A line is a node, indented by tabs below its parent: a role (for a
// heading with its level), the text, and after "->" the address of a link. An outline with a line
// that is too deep has no tree.
func page(outline string) (*axtree.Node, error) {
	root := &axtree.Node{Role: "RootWebArea"}
	stack := []*axtree.Node{root}
	for line := range strings.Lines(outline) {
		line = strings.TrimRight(line, "\n")
		said := strings.TrimLeft(line, "\t")
		if said == "" {
			continue
		}
		depth := len(line) - len(said) + 1
		said, address, _ := strings.Cut(said, " -> ")
		role, name, _ := strings.Cut(said, " ")
		n := &axtree.Node{Role: role, URL: address}
		if level, ok := strings.CutPrefix(role, "heading"); ok {
			n.Role = "heading"
			n.Level, _ = strconv.Atoi(level)
		}
		if name != "" {
			text := &axtree.Node{Role: "StaticText", Name: name, Parent: n}
			n.Children = append(n.Children, text)
		}
		if depth > len(stack) {
			return nil, fmt.Errorf("%q is too deep", line)
		}
		stack = stack[:depth]
		n.Parent = stack[depth-1]
		n.Parent.Children = append(n.Parent.Children, n)
		stack = append(stack, n)
	}
	return root, nil
}

// TestFind checks the results that are found on sketches of pages, and their order.
func TestFind(t *testing.T) {
	b := must.ReadFile(t, "testdata/pages.txt")
	for _, sketch := range strings.Split(string(b), "\n=== ")[1:] {
		name, rest, _ := strings.Cut(sketch, "\n")
		name, address, _ := strings.Cut(name, " at ")
		outline, want, ok := strings.Cut(rest, "\n---\n")
		if !ok {
			t.Fatalf("%s has no ---", name)
		}
		t.Run(name, func(t *testing.T) {
			root, err := page(outline)
			must.Succeed(t, err)
			var got []string
			for _, r := range Find(root, address) {
				got = append(got, strings.TrimRight(fmt.Sprintf("%s | %s | %s", r.Title, r.URL, r.Text), " |"))
			}
			if diff := cmp.Diff(lines(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func lines(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, " |\n"); line != "" {
			out = append(out, line)
		}
	}
	return out
}

func FuzzFind(f *testing.F) {
	f.Add("main\n\tlink one -> https://a.example/\n\tlink two -> /b", "https://a.example/s?q=x")
	f.Add("link -> ::", "::")
	f.Add("\t0", "0") // too deep: no tree
	f.Fuzz(func(t *testing.T, outline, address string) {
		if strings.Contains(outline, "\t\t\t\t\t\t\t\t") || len(outline) > 4000 {
			t.Skip()
		}
		root, err := page(outline)
		if err != nil {
			t.Skip()
		}
		for _, r := range Find(root, address) {
			if r.Title == "" || r.URL == "" {
				t.Errorf("a row without a title or an address: %+v", r)
			}
		}
	})
}

func BenchmarkFind(b *testing.B) {
	var o strings.Builder
	o.WriteString("main\n\tlist\n")
	for i := range 1000 {
		fmt.Fprintf(&o, "\t\tlistitem\n\t\t\theading3\n\t\t\t\tlink Result number %d -> https://a.example/%d\n\t\t\tparagraph Some words about it.\n", i, i)
	}
	root, err := page(o.String())
	must.Succeed(b, err)
	for b.Loop() {
		if n := len(Find(root, "https://a.example/s")); n != 1000 {
			b.Fatal(n)
		}
	}
}
