package axtree

import (
	"slices"
	"strings"

	"errand/host/browser/locator"
)

// Match lists the nodes below root, root included, that a locator of a role, a
// label or a text names, in the order of the page. What narrows a locator down
// is the caller's.
func Match(root *Node, l locator.Locator) []*Node {
	var found []*Node
	switch l.Way() {
	case "role":
		want := role(l.Role)
		root.Walk(func(n *Node) bool {
			if !n.Ignored && role(n.Role) == want && (l.Level == 0 || n.Level == l.Level) &&
				(l.Name == "" || l.Fits(n.Name, l.Name)) {
				found = append(found, n)
			}
			return true
		})
	case "label":
		root.Walk(func(n *Node) bool {
			if n.control() && n.Name != "" && l.Fits(n.Name, l.Label) {
				found = append(found, n)
			}
			return true
		})
	case "text":
		return Smallest(root, func(s string) bool { return l.Fits(s, l.Text) })
	}
	return found
}

// Smallest lists the elements below root whose text fits while that of none
// within them does, in the order of the page. Text whose own element the tree
// does not have counts for what it is in.
func Smallest(root *Node, fits func(text string) bool) []*Node {
	found, _ := smallest(root, fits, nil)
	return found
}

func smallest(n *Node, fits func(string) bool, found []*Node) (out []*Node, any bool) {
	if n.isText() {
		return found, false
	}
	for _, c := range n.Children {
		var here bool
		found, here = smallest(c, fits, found)
		any = any || here
	}
	if !any && n.Backend != 0 && n.Role != "RootWebArea" && fits(n.Text()) {
		return append(found, n), true
	}
	return found, any
}

// role is a role as it is compared: Chromium has names of its own for some, and
// synonyms are one.
func role(r string) string {
	r = strings.ToLower(r)
	if is, ok := synonyms[r]; ok {
		return is
	}
	return r
}

var synonyms = map[string]string{
	"img": "image", "presentation": "none", "directory": "list", "rootwebarea": "document", "statictext": "text",
}

var controls = []string{
	"textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider", "spinbutton",
	"colorwell", "date", "datetime", "inputtime", "meter", "progressbar", "menuitemcheckbox", "menuitemradio", "group", "radiogroup",
}

// control says whether a node is what a label is for.
func (n *Node) control() bool {
	return !n.Ignored && slices.Contains(controls, strings.ToLower(n.Role))
}
