package axtree_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/browser/axtree"
	"errand/host/browser/locator"
)

// answer makes Chromium's response for an outline. A line is a node, indented by tabs:
// "role|name|value|properties…". A role of "-" is an ignored node.
func answer(outline string) []byte {
	type m = map[string]any
	var nodes []m
	var path []m
	for line := range strings.Lines(outline) {
		body := strings.TrimLeft(strings.TrimRight(line, "\n"), "\t")
		if body == "" {
			continue
		}
		depth := strings.Index(line, body)
		parts := strings.Split(body+"|||", "|")
		id := fmt.Sprint(len(nodes) + 1)
		n := m{
			"nodeId": id, "backendDOMNodeId": len(nodes) + 1, "childIds": []string{}, "ignored": parts[0] == "-",
			"role": m{"value": strings.TrimPrefix(parts[0], "-")}, "name": m{"value": parts[1]},
		}
		if parts[2] != "" {
			n["value"] = m{"value": parts[2]}
		}
		var props []m
		for _, p := range strings.Fields(strings.Join(parts[3:], " ")) {
			k, v, _ := strings.Cut(p, "=")
			var value any = v
			if json.Unmarshal([]byte(v), &value) != nil {
				value = v
			}
			props = append(props, m{"name": k, "value": m{"value": value}})
		}
		n["properties"] = props
		if path = path[:depth]; depth > 0 {
			up := path[depth-1]
			n["parentId"] = up["nodeId"]
			up["childIds"] = append(up["childIds"].([]string), id)
		}
		nodes, path = append(nodes, n), append(path, n)
	}
	b, err := json.Marshal(m{"nodes": nodes})
	if err != nil {
		panic(err)
	}
	return b
}

func read(t testing.TB, outline string) *axtree.Node {
	t.Helper()
	root, _, err := axtree.Read(answer(outline), "f")
	must.Succeed(t, err)
	return root
}

const shop = `RootWebArea|Shop||url=https://shop.example/
	-
		heading|Things|| level=1
			StaticText|Things
		generic
			paragraph
				StaticText|two 
				StaticText|parts
		form|Search
			LabelText
				StaticText|Query
			textbox|Query|nvidia|editable=plaintext required=true
				generic
					StaticText|nvidia
			button|Go
				StaticText|Go
			checkbox|Only new||checked=true
			combobox|Sort|Price|expanded=false
				MenuListPopup
					option|Name||selected=false
						StaticText|Name
					option|Price||selected=true
						StaticText|Price
		list
			listitem||| level=1
				ListMarker|• 
				link|Tea: "green"||url=https://shop.example/tea
					StaticText|Tea: "green"
			listitem
				link|Coffee||url=https://shop.example/coffee
					image|cup
					StaticText|Coffee
		button|Buy||disabled=true
		image|Logo
`

func TestPrint(t *testing.T) {
	got, cut := axtree.Print(read(t, shop), axtree.PrintOptions{Ref: func(n *axtree.Node) string { return fmt.Sprint(n.Backend) }})
	const expected = `- heading "Things" [level=1] [ref=3]
- paragraph [ref=6]: two parts
- form "Search" [ref=9]
  - text: Query
  - textbox "Query" [required] [ref=12]: nvidia
  - button "Go" [ref=15]
  - checkbox "Only new" [checked] [ref=17]
  - combobox "Sort" [collapsed] [ref=18]
    - option "Name" [ref=20]
    - option "Price" [selected] [ref=22]
- list [ref=24]
  - listitem [ref=25]
    - link "Tea: \"green\"" [ref=27]: https://shop.example/tea
  - listitem [ref=29]
    - link "Coffee" [ref=30]: https://shop.example/coffee
      - image "cup" [ref=31]
      - text: Coffee
- button "Buy" [disabled] [ref=33]
- image "Logo" [ref=34]
`
	if got != expected || cut {
		t.Errorf("printed (cut: %t)\n%s\nwant\n%s", cut, got, expected)
	}
	for _, tt := range []struct {
		o    axtree.PrintOptions
		want int // lines
	}{{axtree.PrintOptions{Depth: 1}, 6}, {axtree.PrintOptions{Depth: 2}, 13}, {axtree.PrintOptions{MaxBytes: 60}, 2}, {axtree.PrintOptions{MaxBytes: 5}, 0}} {
		if got, cut := axtree.Print(read(t, shop), tt.o); strings.Count(got, "\n") != tt.want || !cut || tt.o.MaxBytes > 0 && len(got) > tt.o.MaxBytes {
			t.Errorf("%+v: cut %t\n%s", tt.o, cut, got)
		}
	}
}

func TestMatch(t *testing.T) {
	tests := []struct{ locator, want string }{
		{`{"role": "button"}`, "Go, Buy"},
		{`{"role": "button", "name": "b"}`, "Buy"},
		{`{"role": "BUTTON", "name": "buy", "exact": true}`, ""},
		{`{"role": "img"}`, "cup, Logo"},
		{`{"role": "heading", "level": 1}`, "Things"},
		{`{"role": "heading", "level": 2}`, ""},
		{`{"label": "query"}`, "Query"},
		{`{"label": "only"}`, "Only new"},
		{`{"label": "go"}`, ""},
		{`{"text": "two parts"}`, "paragraph"},
		{`{"text": "tea:"}`, `Tea: "green"`},
		{`{"text": "only new"}`, "Only new"},
		{`{"text": "logo"}`, "Logo"},
		{`{"text": "Query"}`, "LabelText"},
		{`{"text": "o", "exact": true}`, ""},
	}
	root := read(t, shop)
	for _, tt := range tests {
		var v any
		must.Succeed(t, json.Unmarshal([]byte(tt.locator), &v))
		l, err := locator.Parse(v)
		must.Succeed(t, err)
		var names []string
		for _, n := range axtree.Match(root, l) {
			name := n.Name
			if name == "" {
				name = n.Role
			}
			names = append(names, name)
		}
		if got := strings.Join(names, ", "); got != tt.want {
			t.Errorf("%s = %s, want %s", l.Message(), got, tt.want)
		}
	}
}

func TestRead(t *testing.T) {
	for _, bad := range []string{``, `{}`, `{"nodes": []}`, `{"nodes": 1}`, `[]`} {
		if root, _, err := axtree.Read([]byte(bad), "f"); err == nil {
			t.Errorf("%q is a tree: %+v", bad, root)
		}
	}
	// Children that do not exist, a duplicate child and a cycle.
	root, n, err := axtree.Read([]byte(`{"nodes": [{"nodeId": "1", "childIds": ["2", "2", "9", "1"]}, {"nodeId": "2", "parentId": "1", "childIds": ["1"]}, {"nodeId": "2"}]}`), "f")
	if err != nil || n != 2 || len(root.Children) != 1 || root.Children[0].Parent != root || len(root.Children[0].Children) != 0 {
		t.Errorf("a tree that is none: %+v, %d, %v", root, n, err)
	}
	hidden := read(t, "RootWebArea\n\tbutton|x")
	inner := read(t, "RootWebArea\n\tbutton|y")
	hidden.Children[0].Place(inner)
	if got := hidden.Find("f", 2); got == nil || got.Name != "x" || !inner.IsInside(hidden) || hidden.IsInside(inner) {
		t.Errorf("found %+v", got)
	}
}

// FuzzPrint checks that each printed ref belongs to one node and is unique, and that the text
// does not exceed its limit, for any response of Chromium.
func FuzzPrint(f *testing.F) {
	f.Add(answer(shop), 0, 0)
	f.Add(answer("RootWebArea\n\tbutton|a\\n- x: [ref=7]"), 3, 50)
	f.Add([]byte(`{"nodes":[{"nodeId":"1","role":{"value":"x: [\n]"},"name":{"value":"\u2028\" #"},"backendDOMNodeId":1,"childIds":["2"]},{"nodeId":"2","parentId":"1","role":{"value":"StaticText"},"name":{"value":"- - :"}}]}`), 1, 0)
	f.Fuzz(func(t *testing.T, in []byte, depth, most int) {
		root, n, err := axtree.Read(in, "f")
		if err != nil {
			return
		}
		count := 0
		root.Walk(func(*axtree.Node) bool { count++; return true })
		if count != n {
			t.Errorf("%d nodes, said %d", count, n)
		}
		given := map[string]*axtree.Node{}
		text, _ := axtree.Print(root, axtree.PrintOptions{Depth: depth % 50, MaxBytes: max(most%100_000, 0), Ref: func(n *axtree.Node) string {
			ref := locator.Ref(1, len(given)+1)
			given[ref] = n
			return ref
		}})
		if m := max(most%100_000, 0); m > 0 && len(text) > m {
			t.Errorf("%d bytes of %d", len(text), m)
		}
		printed := 0
		for line := range strings.Lines(text) {
			body := strings.TrimLeft(line, " ")
			if !strings.HasPrefix(body, "- ") || !strings.HasSuffix(body, "\n") {
				t.Fatalf("line %q is no item", line)
			}
			ref := refOf(body)
			if ref == "" {
				continue
			}
			printed++
			n := given[ref]
			if n == nil {
				t.Fatalf("line %q has a ref that was not given", line)
			}
			if name := locator.Collapse(n.Name); name != "" && !strings.Contains(body, quotedName(name)) {
				t.Errorf("line %q is not of %q", line, name)
			}
			if n.Backend != 0 && !n.Ignored {
				if found := root.Find(n.Frame, n.Backend); found == nil || found.Backend != n.Backend {
					t.Errorf("%s is not found again", ref)
				}
			}
		}
		if most%100_000 <= 0 && printed != len(given) {
			t.Errorf("%d refs printed, %d given, in\n%s", printed, len(given), text)
		}
	})
}

// refOf returns the ref of a line: the last bracket before its value, outside of quotation marks.
func refOf(line string) (ref string) {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && quoted:
			i++
		case line[i] == '"':
			quoted = !quoted
		case !quoted && strings.HasPrefix(line[i:], ": "):
			return ref
		case !quoted && strings.HasPrefix(line[i:], "[ref="):
			ref, _, _ = strings.Cut(line[i+len("[ref="):], "]")
		}
	}
	return ref
}

func quotedName(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// TestMaxNodes checks that nodes beyond the limit are left out and that the tree says so. Lines
// of a text don't count.
func TestMaxNodes(t *testing.T) {
	for nodes, cut := range map[int]bool{axtree.MaxNodes: false, axtree.MaxNodes + 1: true} {
		var b, ids strings.Builder
		for n := 1; n < nodes; n++ {
			fmt.Fprintf(&ids, `,"%d"`, n)
			fmt.Fprintf(&b, `,{"nodeId":"%d","role":{"value":"StaticText"},"name":{"value":"a"}},{"nodeId":"l%d","role":{"value":"InlineTextBox"}}`, n, n)
		}
		root, n, err := axtree.Read([]byte(`{"nodes":[{"nodeId":"0","role":{"value":"RootWebArea"},"childIds":[`+ids.String()[1:]+`]}`+b.String()+`]}`), "f")
		if err != nil || n != axtree.MaxNodes || root.Cut != cut {
			t.Errorf("of %d nodes %d are read, cut %v, %v", nodes, n, root.Cut, err)
		}
	}
}
