//go:build unix

package browser_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/browser/actions"
	"errand/host/tool"
	"errand/host/tool/schema"
)

// TestDocument checks that the calls in docs/browser.md and docs/browser-files.md are valid and
// that the tools named there exist.
func TestDocument(t *testing.T) {
	var text string
	for _, name := range []string{"browser.md", "browser-files.md"} {
		b := must.ReadFile(t, "../../docs/"+name)
		text += string(b)
	}
	set, err := tool.NewSet(actions.New(actions.Options{})...)
	must.Succeed(t, err)
	var check schema.Checker
	calls := 0
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(block[1]) {
			var call struct {
				Tool string
				Args map[string]any
			}
			if err := json.Unmarshal([]byte(line), &call); err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			found, ok := set.Get(call.Tool)
			if !ok {
				t.Errorf("there is no %s", call.Tool)
				continue
			}
			if err := check.Check(found.Spec(), call.Args); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			calls++
		}
	}
	if calls < 8 {
		t.Errorf("%d calls are shown", calls)
	}
	for _, found := range regexp.MustCompile("`(browser\\.[a-z_]+)`").FindAllStringSubmatch(text, -1) {
		if _, ok := set.Get(found[1]); !ok && found[1] != "browser.md" {
			t.Errorf("there is no %s", found[1])
		}
	}
}

// TestSpecs checks that every tool has a valid schema and the class of its effect, and requires a
// page, except the one that opens a tab of its own.
func TestSpecs(t *testing.T) {
	var check schema.Checker
	for _, x := range actions.New(actions.Options{}) {
		s := x.Spec()
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
		if e := check.Check(s, map[string]any{"no such": 1}); e == nil || e.Code != "invalid_args" {
			t.Errorf("%s takes anything: %v", s.Name, e)
		}
		requires := []string{"page_open"}
		if s.Name == "browser.tab_new" {
			requires = nil
		}
		if !slices.Equal(s.Requires, requires) || s.SideEffectClass != s.Effect.Class() || !s.Untrusted || s.Source != "browser" {
			t.Errorf("%+v", s)
		}
		_, classifies := x.(tool.Classifier)
		if want := s.Name == "browser.click" || s.Name == "browser.press"; classifies != want {
			t.Errorf("%s says what its calls come to: %t", s.Name, classifies)
		}
	}
}
