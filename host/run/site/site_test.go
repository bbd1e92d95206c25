package site

import (
	"fmt"
	"strings"
	"testing"

	"errand/host/tool"
)

// steps reads steps, one a word: "open:URL", "switch:t1", "close", "wait:URL", "link", "fill",
// "fill@HOST" for an element of a host, "take" and "read". Each depends on the one before it,
// or on the step whose number follows "<".
func steps(t *testing.T, text string) []Step {
	t.Helper()
	uses := map[string]struct {
		use    tool.PageUse
		effect tool.Effect
	}{
		"open": {tool.OpensPage, tool.EffectNavigate}, "switch": {tool.SwitchesPage, tool.EffectNavigate}, "close": {tool.ClosesPage, tool.EffectNavigate},
		"wait": {tool.AwaitsPage, tool.EffectRead}, "check": {tool.ChecksPage, tool.EffectRead}, "link": {tool.UsesPage, tool.EffectNavigate},
		"fill": {tool.UsesPage, tool.EffectInput}, "send": {tool.UsesPage, tool.EffectCommit}, "take": {tool.LeavesPage, tool.EffectFile},
		"read": {tool.UsesPage, tool.EffectRead}, "file": {tool.NoPage, tool.EffectFile},
	}
	var out []Step
	for i, word := range strings.Fields(text) {
		word, after, hasAfter := strings.Cut(word, "<")
		word, host, _ := strings.Cut(word, "@")
		name, arg, _ := strings.Cut(word, ":")
		u, ok := uses[name]
		if !ok {
			t.Fatalf("no step %q", name)
		}
		s := Step{ID: fmt.Sprintf("a%d", i+1), Spec: tool.Spec{Page: u.use, Effect: u.effect}, Effect: u.effect, Args: map[string]any{}}
		if host != "" {
			s.Spec.PageURLOf = func(map[string]any) string { return "*://" + host + "/*" }
		}
		switch {
		case arg != "" && (u.use == tool.SwitchesPage || u.use == tool.ClosesPage):
			s.Args["tab"] = arg
		case arg != "":
			s.Args["url"] = arg
		}
		switch {
		case hasAfter && after != "":
			s.DependsOn = []string{"a" + after}
		case !hasAfter && i > 0:
			s.DependsOn = []string{fmt.Sprintf("a%d", i)}
		}
		out = append(out, s)
	}
	return out
}

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name, earlier, steps, want string // of the last step; "?": unknown
	}{
		{"the opened page", "", "open:https://shop.example/cart fill", "https://shop.example"},
		{"after reading", "", "open:https://shop.example/ read fill send", "https://shop.example"},
		{"reading", "", "open:https://shop.example/ read", ""},
		{"a link", "", "open:https://shop.example/ link", ""},
		{"after a link, which may lead elsewhere", "", "open:https://shop.example/ link fill", "https://shop.example"},
		{"what leaves the page", "", "open:https://shop.example/ take", "https://shop.example"},
		{"a file without a page", "", "open:https://shop.example/ file", ""},
		{"the second page", "", "open:https://a.example/ open:https://b.example/ fill", "https://b.example"},
		{"the first page again", "", "open:https://a.example/ open:https://b.example/ switch:t1 fill", "https://a.example"},
		{"a tab that a page opens", "", "open:https://a.example/ send switch:t2 fill", "?"},
		{"that tab, with its page", "", "open:https://a.example/ send switch:t2 wait:https://login.example/* fill", "https://login.example"},
		{"that tab, as recorded", "", "open:https://a.example/ send switch:t2 fill@login.example", "*://login.example"},
		{"after that tab was closed", "", "open:https://a.example/ open:https://b.example/ close fill", "https://a.example"},
		{"the first tab closed", "", "open:https://a.example/ open:https://b.example/ close:t1 fill", "https://b.example"},
		{"all closed", "", "open:https://a.example/ close fill", "?"},
		{"an empty tab", "", "open fill", "?"},
		{"a page that it waits for", "", "open:https://a.example/ send wait:https://pay.example/* fill", "https://pay.example"},
		{"a page that it checks", "", "open:https://a.example/ send check:*://pay.example/* fill", "*://pay.example"},
		{"a check of the same host keeps the scheme", "", "open:https://a.example/ check:*://a.example/* fill", "https://a.example"},
		{"a pattern without a host", "", "open:https://a.example/ wait:*/thanks fill", "https://a.example"},
		{"a pattern of hosts", "", "open:https://a.example/ wait:https://*.pay.example/* fill", "https://a.example"},
		{"two chains, the first", "", "open:https://a.example/ open:https://b.example/< fill<1", "https://a.example"},
		{"two chains, the second", "", "open:https://a.example/ open:https://b.example/< fill<2", "https://b.example"},
		{"without dependencies", "", "open:https://a.example/ fill<", "https://a.example"},
		{"an element of another host, on a known page", "", "open:https://a.example/ fill@pay.example", "*://pay.example"},
		{"an element of the same host keeps the scheme", "", "open:https://a.example/ fill@www.a.example", "https://a.example"},
		{"after an element of another host", "", "open:https://a.example/ fill@pay.example fill", "https://a.example"},
		{"a page of an earlier step", "open:https://a.example/", "fill", "https://a.example"},
		{"a page after one of an earlier step", "open:https://a.example/", "open:https://b.example/ fill", "https://b.example"},
		{"no page at all", "", "fill", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			earlier := steps(t, tt.earlier)
			for i := range earlier {
				earlier[i].ID = "before-" + earlier[i].ID
			}
			names := Find(earlier, steps(t, tt.steps))
			got := names[len(names)-1]
			if want := (Name{Site: strings.TrimPrefix(tt.want, "?"), Unknown: tt.want == "?"}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}
