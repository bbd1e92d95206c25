package axtree

import (
	"slices"
	"strings"

	"errand/host/browser/locator"
)

// Match lists the nodes at or below root that match a locator's role, label or text, in page
// order. It ignores the parts of a locator that narrow the search.
func Match(root *Node, l locator.Locator) []*Node {
	var found []*Node
	switch l.Kind() {
	case "role":
		want := role(l.Role)
		root.Walk(func(n *Node) bool {
			if !n.Ignored && role(n.Role) == want && (l.Level == 0 || n.Level == l.Level) &&
				(l.Name == "" || l.MatchesText(n.Name, l.Name)) {
				found = append(found, n)
			}
			return true
		})
	case "label":
		root.Walk(func(n *Node) bool {
			if n.isControl() && n.Name != "" && l.MatchesText(n.Name, l.Label) {
				found = append(found, n)
			}
			return true
		})
	case "text":
		return Smallest(root, func(s string) bool { return l.MatchesText(s, l.Text) })
	}
	return found
}

// Smallest lists the elements below root whose text matches while the text of no element inside
// them does, in page order. A text whose element is not in the tree counts for the element around
// it.
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

// role returns a role's name for comparisons. Chromium has other names for some roles, and
// synonyms have one name.
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

// Roles returns the names that Chromium may have for a role. ok is false for an unknown role:
// then all nodes have to be compared.
func Roles(of string) (names []string, known bool) {
	want := role(of)
	if own, ok := chromium[want]; ok {
		return own, true
	}
	return []string{want}, slices.Contains(aria, want)
}

// aria are the roles of WAI-ARIA 1.2 that Chromium spells in the same way.
var aria = strings.Fields(`alert alertdialog application article banner blockquote button caption cell checkbox code
	columnheader combobox comment complementary contentinfo definition deletion dialog emphasis feed figure form generic
	grid gridcell group heading insertion link listbox listitem log main mark marquee math menu menubar menuitem
	menuitemcheckbox menuitemradio meter navigation note option paragraph progressbar radio radiogroup region row
	rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion
	superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem`)

// ARIA returns the roles of WAI-ARIA that a page's tree can have.
func ARIA() []string { return append(slices.Clone(aria), "img", "document", "list", "none") }

// chromium has Chromium's names (ax::mojom::Role) of roles that differ from ARIA's or are not in
// ARIA.
var chromium = map[string][]string{
	"image": {"image", "img"}, "document": {"RootWebArea", "document"}, "text": {"StaticText"}, "iframe": {"Iframe"},
	"date": {"Date"}, "datetime": {"DateTime"}, "inputtime": {"InputTime"}, "colorwell": {"ColorWell"}, "canvas": {"Canvas"},
	"video": {"Video"}, "audio": {"Audio"}, "labeltext": {"LabelText"}, "details": {"Details"}, "abbr": {"Abbr"},
	"disclosuretriangle": {"DisclosureTriangle"}, "descriptionlist": {"DescriptionList"}, "legend": {"Legend"},
	"figcaption": {"Figcaption"}, "pre": {"Pre"}, "pluginobject": {"PluginObject"}, "embeddedobject": {"EmbeddedObject"},
	"linebreak": {"LineBreak"}, "listmarker": {"ListMarker"}, "section": {"Section"}, "svgroot": {"SvgRoot"},
	"menulistpopup": {"MenuListPopup"}, "none": {"none"}, "list": {"list", "directory"},
}

var controls = []string{
	"textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider", "spinbutton",
	"colorwell", "date", "datetime", "inputtime", "meter", "progressbar", "menuitemcheckbox", "menuitemradio", "group", "radiogroup",
}

// isControl reports whether a label can belong to the node. A file input is a button in the tree,
// the only kind of button with a value.
func (n *Node) isControl() bool {
	role := strings.ToLower(n.Role)
	return !n.Ignored && (slices.Contains(controls, role) || role == "button" && n.Value != "")
}
