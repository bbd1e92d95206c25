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

// Roles are the names that Chromium may have for a role, mostly one. False for a
// role that is neither ARIA's nor known to be Chromium's own: to find it, all names
// have to be compared.
func Roles(of string) (names []string, known bool) {
	want := role(of)
	if own, ok := chromium[want]; ok {
		return own, true
	}
	return []string{want}, slices.Contains(aria, want)
}

// aria are the roles of WAI-ARIA 1.2 that Chromium spells alike.
var aria = strings.Fields(`alert alertdialog application article banner blockquote button caption cell checkbox code
	columnheader combobox comment complementary contentinfo definition deletion dialog emphasis feed figure form generic
	grid gridcell group heading insertion link listbox listitem log main mark marquee math menu menubar menuitem
	menuitemcheckbox menuitemradio meter navigation note option paragraph progressbar radio radiogroup region row
	rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion
	superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem`)

// ARIA lists the roles of WAI-ARIA that a page's tree has.
func ARIA() []string { return append(slices.Clone(aria), "img", "document", "list", "none") }

// chromium has Chromium's own spellings (ax::mojom::Role) of roles that differ from
// ARIA's or are no ARIA roles at all.
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

// isControl says whether a node is what a label is for. A field for files is a
// button to a tree, and the one kind of button that has a value.
func (n *Node) isControl() bool {
	role := strings.ToLower(n.Role)
	return !n.Ignored && (slices.Contains(controls, role) || role == "button" && n.Value != "")
}
