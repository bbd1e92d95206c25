package find

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"errand/policy/rulefile"
)

// TestRules compiles every pattern and looks up every check that a rule names.
func TestRules(t *testing.T) {
	for _, r := range append(slices.Clone(tokens()), rules()...) {
		for check := range strings.FieldsSeq(r.Checks) {
			if checks[check] == nil {
				t.Errorf("%s: unknown check %q", r.Kind, check)
			}
		}
		if mark := MarkOpen + r.Kind + ":abcd]"; markAt(mark, 0) != len(mark) {
			t.Errorf("the kind %q doesn't make a mark", r.Kind)
		}
		for _, k := range r.Keywords {
			if len(k) < minTrigger {
				t.Errorf("%s: the keyword %q is too short", r.Kind, k)
			}
		}
		compile(t, r)
		if r.Regex != nil && r.Each == nil && r.Regex.Get().NumSubexp() == 0 {
			t.Errorf("%s: no group in %s", r.Kind, r.Regex.Source)
		}
	}
	compile(t, pairs())
	compile(t, terms())
}

// compile compiles all patterns in the fields of a struct.
func compile(t *testing.T, rules any) {
	t.Helper()
	v := reflect.ValueOf(rules).Elem()
	found := 0
	for i := range v.NumField() {
		if p, ok := v.Field(i).Interface().(*rulefile.Pattern); ok && p != nil {
			p.Get()
			found++
		}
	}
	if found == 0 && v.FieldByName("Prefixes").String() == "" {
		t.Errorf("no pattern in %+v", rules)
	}
}

// TestExpandClasses lists the keywords that one with classes stands for.
func TestExpandClasses(t *testing.T) {
	for keyword, want := range map[string][]string{
		"eyJ":      {"eyJ"},
		"[0-2]q~":  {"0q~", "1q~", "2q~"},
		"s[ab][c]": {"sac", "sbc"},
		"a[b":      {"a[b"},
	} {
		if got := expandClasses(keyword); !slices.Equal(got, want) {
			t.Errorf("expandClasses(%q) = %q, want %q", keyword, got, want)
		}
	}
}

// TestLongSecrets finds secrets that are longer than a rule's view of a line.
func TestLongSecrets(t *testing.T) {
	long := strings.Repeat("vT2mK9pLw4", 60)
	for _, text := range []string{
		"sshpass -p " + long + " ssh host", "curl -u jane:" + long + " https://example.com", "Bearer " + long,
		"WIFI:T:WPA;S:home;P:" + long + ";;", "CREATE USER jane IDENTIFIED BY '" + long + "'",
		"password=" + strings.Repeat(" ", 300) + long,
	} {
		found := Secrets(ReadPage(text), nil)
		at := strings.Index(text, long)
		if !slices.ContainsFunc(found, func(sp Span) bool { return sp.Start <= at && sp.End >= at+len(long) }) {
			t.Errorf("found %v, want all of %d to %d in %.40q…", found, at, at+len(long), text)
		}
	}
}
