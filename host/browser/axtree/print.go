package axtree

import (
	"encoding/json"
	"fmt"
	"strings"

	"errand/host/browser/locator"
)

// PrintOptions select what to print. The zero value prints everything.
type PrintOptions struct {
	Depth    int // levels of the outline; 0: all
	MaxBytes int // 0: no limit
	// Ref returns a ref for a node, or "" if it needs none. If Ref is nil, no refs are
	// printed.
	Ref func(*Node) string
}

// Print writes the tree as YAML, one line per node:
//
//   - heading "Results" [level=1] [ref=s1e2]
//   - textbox "Search" [ref=s1e3]: nvidia
//   - link "Home" [ref=s1e4]: https://example.com/
//   - text: 5 results
//
// It omits nodes without information and prints their children in their place. cut reports
// that the options excluded something.
func Print(root *Node, o PrintOptions) (text string, cut bool) {
	p := printer{o: o}
	p.node(root, 0)
	return p.b.String(), p.cut
}

type printer struct {
	o   PrintOptions
	b   strings.Builder
	cut bool
}

func (p *printer) node(n *Node, depth int) {
	switch {
	case p.isFull():
	case n.Role == "StaticText":
		if text := oneLine(n.Name); text != "" {
			p.line(depth, "text: "+scalar(text))
		}
	case n.Role == "ListMarker" || n.Role == "LineBreak":
	case n.isStructural():
		p.children(n, depth)
	default:
		s := n.head()
		if p.o.Ref != nil {
			if ref := p.o.Ref(n); ref != "" {
				s += " [ref=" + ref + "]"
			}
		}
		line, whole := n.lineText()
		if line != "" {
			s += ": " + scalar(line)
		}
		p.line(depth, s)
		if !whole {
			p.children(n, depth+1)
		}
	}
}

func (p *printer) children(n *Node, depth int) {
	if p.o.Depth > 0 && depth >= p.o.Depth {
		p.cut = p.cut || len(n.Children) > 0
		return
	}
	for _, c := range n.Children {
		p.node(c, depth)
	}
}

func (p *printer) line(depth int, s string) {
	if p.o.MaxBytes > 0 && p.b.Len()+2*depth+len(s)+3 > p.o.MaxBytes {
		p.cut, p.o.MaxBytes = true, -1 // no further lines, however short
		return
	}
	p.b.WriteString(strings.Repeat("  ", depth) + "- " + s + "\n")
}

func (p *printer) isFull() bool { return p.o.MaxBytes < 0 }

// isStructural reports whether a node only provides structure.
func (n *Node) isStructural() bool {
	switch n.Role {
	case "", "none", "generic", "RootWebArea", "LabelText", "MenuListPopup", "Section":
		return n.Name == "" || n.Role == "RootWebArea" || n.Ignored
	}
	return false
}

func (n *Node) head() string {
	s := role(n.Role)
	if strings.ContainsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		s = scalar(s)
	}
	if name := oneLine(n.Name); name != "" {
		s += " " + quote(name)
	}
	if n.Level > 0 && n.Role == "heading" {
		s += fmt.Sprintf(" [level=%d]", n.Level)
	}
	for _, state := range n.States {
		s += " [" + state + "]"
	}
	return s
}

// lineText returns the text after a node on its line: its value, its link target, or its text
// unless that is its name. whole reports that nothing below the node needs a line.
func (n *Node) lineText() (text string, whole bool) {
	plain := n.isPlainText()
	switch {
	case n.Editable || n.Value != "" && plain:
		return oneLine(n.Value), true
	case n.Role == "link" && n.URL != "":
		return n.URL, plain
	case !plain:
		return "", false
	}
	if text = n.Text(); text == oneLine(n.Name) {
		text = ""
	}
	return text, true
}

// isPlainText reports whether everything below a node is text.
func (n *Node) isPlainText() bool {
	for _, c := range n.Children {
		if !c.isText() && !(c.isStructural() && c.isPlainText()) {
			return false
		}
	}
	return true
}

func oneLine(s string) string { return locator.Collapse(s) }

// quote returns a text in quotation marks, escaped as in YAML and JSON.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // strings can always be marshalled
		return `""`
	}
	return string(b)
}

// scalar returns a text as a YAML value, quoted if necessary.
func scalar(s string) string {
	plain := s != "" && !strings.ContainsAny(s[:1], "-?:,[]{}#&*!|>'\"%@`~ ") &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.HasSuffix(s, ":") && s == strings.TrimSpace(s) &&
		!strings.ContainsFunc(s, func(r rune) bool {
			return r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffd
		})
	if plain {
		return s
	}
	return quote(s)
}
