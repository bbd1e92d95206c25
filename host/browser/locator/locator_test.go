package locator_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/browser/locator"
)

func TestParse(t *testing.T) {
	deep := `{"css": "a", "within": {"css": "b", "within": {"css": "c", "within": {"css": "d", "within": {"css": "e"}}}}}`
	tests := []struct{ in, want string }{ // the locator's text, or the error's
		{`{"ref": "s1e4"}`, "s1e4"},
		{`{"role": "button"}`, "button"},
		{`{"role": "button", "name": "Save"}`, `button "Save"`},
		{`{"role": "button", "name": ""}`, "button"},
		{`{"role": "heading", "level": 2, "name": "A", "exact": true}`, `heading "A" of level 2 exactly`},
		{`{"label": "Email"}`, `label "Email"`},
		{`{"test_id": "x", "nth": 2}`, `test id "x", match 2`},
		{`{"text": "A", "within": {"role": "form", "name": "F"}, "frame": {"css": "iframe"}}`, `text "A", within form "F", in the frame css "iframe"`},

		{`{"css": "a", "is": {"role": "button", "name": "Save", "host": "example.com"}}`, `css "a"`},
		{`{"ref": "s1e4", "is": {"name": "Save"}}`, "s1e4"},
		{`{"css": "a", "is": {}}`, "!locator/is: it must be an object with role, name or host"},
		{`{"css": "a", "is": {"id": "x"}}`, `!locator/is: unknown key "id"; use role, name or host`},
		{`{"css": "a", "is": {"name": ""}}`, "!locator/is: name must be text of 1 to 1024 bytes"},

		{`null`, "!locator: it must be an object"},
		{`"button"`, "!locator: it must be an object"},
		{`{}`, "!locator: it needs one of ref, role"},
		{`{"name": "Save"}`, "!locator: it needs one of"},
		{`{"role": "button", "css": "b"}`, "!locator: it has role and css; use only one of them"},
		{`{"role": ""}`, "!locator: role is empty"},
		{`{"text": "  "}`, "!locator: text is blank"},
		{`{"css": 1}`, "!locator: css must be a string"},
		{`{"css": "a", "name": "b"}`, "!locator: name can only be used with role"},
		{`{"css": "a", "level": 1}`, "!locator: level can only be used with role"},
		{`{"role": "heading", "level": 7}`, "!locator: level must be a whole number from 1 to 6"},
		{`{"css": "a", "nth": 0}`, "!locator: nth must be a whole number from 1"},
		{`{"css": "a", "nth": 1.5}`, "!locator: nth must be a whole number"},
		{`{"css": "a", "exact": "yes"}`, "!locator: exact must be true or false"},
		{`{"css": "a", "exact": true}`, "!locator: exact can't be used with css"},
		{`{"role": "link", "exact": true}`, "!locator: exact needs a name"},
		{`{"ref": "e4"}`, `!locator: "e4" is not a ref`},
		{`{"ref": "s1e4", "nth": 1}`, "!locator: a ref identifies one element"},
		{`{"rolle": "button"}`, `!locator: unknown key "rolle"; use ref, role`},
		{`{"css": "a", "within": {"frame": {"css": "x"}}}`, "!locator/within: it needs one of"},
		{`{"css": "a", "within": {"css": "b", "frame": 1}}`, "!locator/within/frame: it must be an object"},
		{deep, "!locator/within/within/within/within: locators are nested more than 4 deep"},
		{`{"text": "` + strings.Repeat("x", 1025) + `"}`, "!locator: text is longer than 1024 bytes"},
		{`{"text": "a\u0000"}`, "!locator: text is not valid text"},
	}
	for _, tt := range tests {
		var v any
		if err := json.Unmarshal([]byte(tt.in), &v); err != nil {
			t.Fatalf("%s: %v", tt.in, err)
		}
		l, err := locator.Parse(v)
		said := i18n.English().Error(err)
		want, bad := strings.CutPrefix(tt.want, "!")
		switch {
		case bad && (err == nil || !strings.HasPrefix(said, want) || !errors.As(err, new(*locator.Error))):
			t.Errorf("Parse(%.80s) = %v, %s; want error %q", tt.in, l, said, want)
		case !bad && (err != nil || i18n.English().Text(l.Message()) != want):
			t.Errorf("Parse(%s) = %s, %v; want %s", tt.in, l.Message(), err, want)
		}
	}
	if s := i18n.English().Text(locator.Locator{}.Message()); s != "nothing" {
		t.Errorf("the zero locator is %q", s)
	}
}

func TestFits(t *testing.T) {
	tests := []struct {
		text, wanted string
		exact, want  bool
	}{
		{"Save as…", "save", false, true},
		{"  Save\n as ", "save as", false, true},
		{"Save", "Save as", false, false},
		{"Сохранить", "СОХРАН", false, true},
		{"Save", "save", true, false},
		{" Save ", "Save", true, true},
		{"Save as", "Save", true, false},
	}
	for _, tt := range tests {
		if got := (locator.Locator{Exact: tt.exact}).MatchesText(tt.text, tt.wanted); got != tt.want {
			t.Errorf("%q fits %q (exact %t) = %t", tt.text, tt.wanted, tt.exact, got)
		}
	}
}

func TestRefs(t *testing.T) {
	if s, e := locator.ReadRef(locator.Ref(12, 345)); s != 12 || e != 345 {
		t.Errorf("a ref read back is %d, %d", s, e)
	}
	for _, bad := range []string{"", "s0e1", "s1e0", "e1", "s1", "s1e1 ", "s1234567890e1", "S1E1", "s-1e1"} {
		if s, e := locator.ReadRef(bad); locator.IsRef(bad) || s != 0 || e != 0 {
			t.Errorf("%q is a ref: %d, %d", bad, s, e)
		}
	}
}

// definition is the schema of a locator as tools contain it.
func definition(t testing.TB) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"$ref": "#/$defs/locator", "$defs": {"locator": ` + locator.Definition + `}}`))
	must.Succeed(t, err)
	c := jsonschema.NewCompiler()
	must.Succeed(t, c.AddResource("x:///s.json", doc))
	s, err := c.Compile("x:///s.json")
	must.Succeed(t, err)
	return s
}

// FuzzParse checks that a parsed locator is the same after encoding it as JSON and parsing that,
// and that the schema accepts what the parser accepts.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"role": "button", "name": "Save", "exact": true, "nth": 3}`, `{"ref": "s1e1"}`, `{"css": "a", "within": {"text": "x"}}`,
		`{"label": "é\u0301", "frame": {"test_id": "f", "frame": {"css": "iframe"}}}`, `{"role": "heading", "level": 3}`, `[]`, `{"text": " a "}`,
	} {
		f.Add(seed)
	}
	schema := definition(f)
	f.Fuzz(func(t *testing.T, in string) {
		var v any
		if json.Unmarshal([]byte(in), &v) != nil {
			return
		}
		l, err := locator.Parse(v)
		if err != nil {
			return
		}
		again, err := locator.Parse(l.JSON())
		if err != nil || !reflect.DeepEqual(again, l) {
			t.Errorf("%s: %+v became %+v, %v", in, l, again, err)
		}
		if l.Message().IsZero() || l.Kind() == "" {
			t.Errorf("%s has no words: %+v", in, l)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s is parsed, and its schema says %v", in, err)
		}
	})
}

// TestIdentity checks that empty fields are not compared, that white space and the case of roles
// and hosts don't count, and that the case of a name does.
func TestIdentity(t *testing.T) {
	save := locator.Identity{Role: "button", Name: "Save  changes", Host: "example.com"}
	for _, tt := range []struct {
		want locator.Identity
		is   bool
	}{
		{save, true},
		{locator.Identity{}, true},
		{locator.Identity{Role: "Button"}, true},
		{locator.Identity{Name: "Save changes"}, true},
		{locator.Identity{Host: "EXAMPLE.com"}, true},
		{locator.Identity{Role: "link"}, false},
		{locator.Identity{Name: "save changes"}, false},
		{locator.Identity{Name: "Save"}, false},
		{locator.Identity{Host: "example.com:8080"}, false},
		{locator.Identity{Host: "www.example.com"}, false},
	} {
		if got := tt.want.Matches(save); got != tt.is {
			t.Errorf("%s holds for %s: %v", tt.want, save, got)
		}
	}
}
