package cli

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/policy"
)

// TestPolicyTables compares every row of the tables of URLs and patterns in docs/policy.md with
// policy.
func TestPolicyTables(t *testing.T) {
	source := must.ReadFile(t, filepath.Join(repository, "docs", "policy.md"))
	kinds := map[string]func(*testing.T, []string){
		"URL": refusedURL, "pattern": matching, "patterns": matching, "bad pattern": badPattern,
	}
	rows := map[string]int{}
	kind := ""
	for line := range strings.Lines(string(source)) {
		if !strings.HasPrefix(line, "|") {
			kind = ""
			continue
		}
		// A cell may hold "|" in code.
		cells := strings.Split(strings.ReplaceAll(strings.Trim(strings.TrimSpace(line), "|"), `\|`, "\x00"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], "\x00", "|"))
		}
		switch hold := kinds[kind]; {
		case kind == "":
			kind = cells[0]
		case strings.HasPrefix(cells[0], "---"):
		case hold != nil:
			rows[kind]++
			t.Run(cells[0], func(t *testing.T) { hold(t, cells) })
		}
	}
	for kind := range kinds {
		if rows[kind] == 0 {
			t.Errorf("there is no table of %q", kind)
		}
	}
}

// code returns the text of a cell between backticks.
func code(cell string) []string {
	var out []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
		out = append(out, m[1])
	}
	return out
}

// refusedURL checks that the rule in the second cell denies the URL.
func refusedURL(t *testing.T, cells []string) {
	for _, url := range code(cells[0]) {
		got := (*policy.Policy)(nil).Check(policy.Check{URL: url, Floor: true})
		if got.Verdict != "deny" || got.Rule != code(cells[1])[0] {
			t.Errorf("%s: %s by %s (%s), want deny by %s", url, got.Verdict, got.Rule, got.Reason, cells[1])
		}
	}
}

// matching checks that the patterns match the URLs of the second cell and not those of the third.
func matching(t *testing.T, cells []string) {
	for i, want := range map[int]string{1: "allow", 2: "deny"} {
		for _, url := range code(cells[i]) {
			got := (*policy.Policy)(nil).Check(policy.Check{URL: url, Allow: code(cells[0])})
			if got.Verdict != want {
				t.Errorf("%s: %s by %s (%s), want %s", url, got.Verdict, got.Rule, got.Reason, want)
			}
		}
	}
}

// badPattern checks that each pattern is invalid, and that the reason contains the second cell.
func badPattern(t *testing.T, cells []string) {
	for _, pattern := range code(cells[0]) {
		_, err := policy.ParsePattern(pattern)
		if err == nil || !strings.Contains(i18n.English().Error(err), cells[1]) {
			t.Errorf("%s: %s, want in it %q", pattern, i18n.English().Error(err), cells[1])
		}
	}
}
