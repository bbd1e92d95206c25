// Package axtree represents a page as assistive technology sees it: a tree of roles, names
// and states. It parses Chromium's accessibility tree, finds nodes in it and prints it. It
// has no side effects; the browser packages query Chromium.
package axtree

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"errand/planner/message"
)

// Node is a node of the tree. Ignored nodes are kept, because text and structure pass
// through them; they have no role.
type Node struct {
	Role     string
	Name     string
	Value    string // of a control
	Backend  int64  // Chromium's id of the DOM node, within Frame; 0 if there is none
	Frame    string // id of its frame
	URL      string // of a link, an image or a document
	Ignored  bool
	Hidden   bool // from assistive technology, or not rendered
	Level    int  // of a heading or an outline item; 0: none
	States   []string
	Editable bool
	Disabled bool
	Cut      bool // for a root: there were more than MaxNodes

	Parent   *Node
	Children []*Node
}

// Tree is the tree of a page including the trees of its frames.
type Tree struct {
	Root  *Node
	Nodes int
}

// raw is a node in Chromium's format (DevTools protocol, Accessibility.AXNode).
type raw struct {
	ID       string   `json:"nodeId"`
	Ignored  bool     `json:"ignored"`
	Reasons  []prop   `json:"ignoredReasons"`
	Role     *value   `json:"role"`
	Name     *value   `json:"name"`
	Value    *value   `json:"value"`
	Props    []prop   `json:"properties"`
	Parent   string   `json:"parentId"`
	Children []string `json:"childIds"`
	Backend  int64    `json:"backendDOMNodeId"`
}

type prop struct {
	Name  string `json:"name"`
	Value value  `json:"value"`
}

type value struct {
	Value any `json:"value"`
}

func (v *value) text() string {
	if v == nil || v.Value == nil {
		return ""
	}
	switch v := v.Value.(type) {
	case string:
		return v
	case bool, float64:
		return fmt.Sprint(v)
	}
	return ""
}

// MaxNodes is the maximum number of nodes of one frame.
const MaxNodes = 100_000

// Read parses the response of Accessibility.getFullAXTree for one frame, or of
// getPartialAXTree for one node. The first node is the root; unconnected nodes are
// dropped. A response without nodes is an error.
func Read(answer []byte, frame string) (*Node, int, error) {
	var full struct {
		Nodes []raw `json:"nodes"`
	}
	if err := json.Unmarshal(answer, &full); err != nil {
		return nil, 0, message.Error("browser.read_tree", "cause", err)
	}
	// lines of a StaticText, which has the whole text
	full.Nodes = slices.DeleteFunc(full.Nodes, func(r raw) bool { return r.Role.text() == "InlineTextBox" })
	cut := len(full.Nodes) > MaxNodes
	if cut {
		full.Nodes = full.Nodes[:MaxNodes]
	}
	byID := make(map[string]*Node, len(full.Nodes))
	var root *Node
	for i := range full.Nodes {
		r := &full.Nodes[i]
		if byID[r.ID] != nil {
			continue
		}
		n := r.node(frame)
		byID[r.ID] = n
		if root == nil {
			root = n
		}
	}
	if root == nil {
		return nil, 0, message.Error("browser.empty_tree")
	}
	for i := range full.Nodes {
		n := byID[full.Nodes[i].ID]
		if n == nil {
			continue
		}
		for _, id := range full.Nodes[i].Children {
			if c := byID[id]; c != nil && c.Parent == nil && c != root && c != n {
				c.Parent = n
				n.Children = append(n.Children, c)
			}
		}
	}
	root.Cut = cut
	count := 0
	root.Walk(func(*Node) bool { count++; return true })
	return root, count, nil
}

// ReadList parses the response of Accessibility.queryAXTree: nodes without their
// surroundings, in page order. It drops ignored nodes.
func ReadList(answer []byte, frame string) ([]*Node, error) {
	var full struct {
		Nodes []raw `json:"nodes"`
	}
	if err := json.Unmarshal(answer, &full); err != nil {
		return nil, message.Error("browser.read_nodes", "cause", err)
	}
	var nodes []*Node
	for i := range full.Nodes[:min(len(full.Nodes), MaxNodes)] {
		if !full.Nodes[i].Ignored {
			nodes = append(nodes, full.Nodes[i].node(frame))
		}
	}
	return nodes, nil
}

func (r *raw) node(frame string) *Node {
	n := &Node{Name: r.Name.text(), Value: r.Value.text(), Backend: r.Backend, Frame: frame, Ignored: r.Ignored}
	if n.Role = r.Role.text(); r.Ignored {
		n.Role = ""
	}
	for _, why := range r.Reasons {
		switch why.Name {
		case "ariaHiddenElement", "ariaHiddenSubtree", "notRendered", "notVisible", "inertElement", "inertSubtree":
			n.Hidden = true
		}
	}
	for i := range r.Props {
		p := &r.Props[i]
		value := p.Value.text()
		switch p.Name {
		case "url":
			n.URL = value
		case "level":
			if f, ok := p.Value.Value.(float64); ok && f >= 1 && f <= 100 {
				n.Level = int(f)
			}
		case "disabled":
			n.Disabled = value == "true"
			n.state(p.Name, value)
		case "editable":
			n.Editable = value != ""
		case "checked", "pressed", "expanded", "selected", "required", "readonly", "invalid", "modal", "busy":
			n.state(p.Name, value)
		}
	}
	return n
}

// state stores a state that differs from its default.
func (n *Node) state(name, value string) {
	switch {
	case value == "true":
		n.States = append(n.States, name)
	case value == "mixed":
		n.States = append(n.States, name+"=mixed")
	case value == "false" && name == "expanded":
		n.States = append(n.States, "collapsed")
	case name == "invalid" && value != "" && value != "false":
		n.States = append(n.States, name)
	}
}

// Walk calls f for the node and its descendants, parents first, in page order. It skips
// the children of a node if f returns false.
func (n *Node) Walk(f func(*Node) bool) {
	if n == nil || !f(n) {
		return
	}
	for _, c := range n.Children {
		c.Walk(f)
	}
}

// Place inserts a frame's tree below the node of its iframe.
func (n *Node) Place(root *Node) {
	root.Parent = n
	n.Children = append(n.Children, root)
}

// Find returns the node for a DOM node of a frame, or nil.
func (n *Node) Find(frame string, backend int64) (found *Node) {
	n.Walk(func(m *Node) bool {
		if m.Frame == frame && m.Backend == backend && found == nil {
			found = m
		}
		return found == nil
	})
	return found
}

// IsInside reports whether n is other or a descendant of it.
func (n *Node) IsInside(other *Node) bool {
	for ; n != nil; n = n.Parent {
		if n == other {
			return true
		}
	}
	return false
}

// Text returns the visible text of the node with collapsed white space.
func (n *Node) Text() string {
	var b strings.Builder
	n.text(&b)
	return strings.Join(strings.Fields(b.String()), " ")
}

func (n *Node) text(b *strings.Builder) {
	switch {
	case n.Role == "ListMarker":
		return
	case n.Role == "StaticText":
		b.WriteString(n.Name)
		return
	case n.Role == "LineBreak":
		b.WriteByte('\n')
		return
	}
	if n.hasOwnText() {
		b.WriteString(n.Name)
		return
	}
	for _, c := range n.Children {
		if c.isBlock() {
			b.WriteByte(' ')
		}
		c.text(b)
		if c.isBlock() {
			b.WriteByte(' ')
		}
	}
}

// hasOwnText reports whether a node's name is text that is not elsewhere in the tree, such as
// that of an image or the label of a checkbox.
func (n *Node) hasOwnText() bool {
	switch n.Role {
	case "checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio", "image":
		return true
	case "button", "link", "option", "menuitem", "tab":
		return len(n.Children) == 0
	}
	return false
}

// isBlock reports whether a node's text is separate from its surroundings.
func (n *Node) isBlock() bool { return n.Role != "StaticText" && n.Role != "" }

// isText reports whether the node is text rather than an element.
func (n *Node) isText() bool {
	return n.Role == "StaticText" || n.Role == "LineBreak" || n.Role == "ListMarker"
}
