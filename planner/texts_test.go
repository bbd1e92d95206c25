package planner

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"errand/planner/plan"
)

// TestTexts: every text is in every language, in its letters, with the same
// parameters.
func TestTexts(t *testing.T) {
	verb := regexp.MustCompile(`%[a-z.0-9]*[a-z]|%%`)
	hasCyrillic := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) })
	}
	en, ru := textsIn("en"), textsIn("ru")
	if len(en.byCode) < 70 || len(en.byCode) != len(ru.byCode) {
		t.Errorf("%d texts in English, %d in Russian", len(en.byCode), len(ru.byCode))
	}
	for code, english := range en.byCode {
		russian := ru.byCode[code]
		if english == "" || russian == "" {
			t.Errorf("%s: %q and %q", code, english, russian)
		}
		if a, b := verb.FindAllString(english, -1), verb.FindAllString(russian, -1); !slices.Equal(a, b) {
			t.Errorf("%s: %q and %q have different parameters", code, english, russian)
		}
		if hasCyrillic(english) || !hasCyrillic(russian) {
			t.Errorf("%s: %q and %q are not in their languages", code, english, russian)
		}
	}
}

// TestTextCodes: the sources use codes that exist, and use all of them.
func TestTextCodes(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`\.text\("([a-z_.]+)"`)
	used := map[string]bool{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(b), -1) {
			used[m[1]] = true
			if m[1] != "actions." && !textsIn("en").has(m[1]) {
				t.Errorf("%s: no text for %s", file, m[1])
			}
		}
	}
	for _, key := range plan.PageActions() { // of page and file goals and of queries the code depends on the goal
		used["page."+key] = true
	}
	for code := range textsIn("en").byCode {
		group, _, _ := strings.Cut(code, ".")
		if !used[code] && !slices.Contains([]string{"actions", "file", "query"}, group) {
			t.Errorf("%s is not used", code)
		}
	}
}

// TestRussian: whatever becomes of a goal, a person is told in Russian.
func TestRussian(t *testing.T) {
	tests := []struct {
		r      Request
		status plan.Status
		want   string // in the reason, or in the preview of the first action
	}{
		{request(search("youtube", "кошки")), plan.Success, "Найти «кошки» на YouTube"},
		{request(file("delete", "folder", "~/Архив")), plan.Success, "Удалить папку ~/Архив"},
		{request(ask("battery")), plan.Success, "Сообщить заряд батареи"},
		{withTools(request(ask("time")), launchTool), plan.NoCapability, "ни один инструмент не умеет system_query"},
		{withTools(request(visit("github")), openTool), plan.Blocked, "Получилось бы, если бы выполнялось: page_open"},
		{request(file("create", "folder", "заметки")), plan.Blocked, "Нужно назвать папку"},
		{withTools(request(ask("time"), launch("notepad")), launchTool), plan.Partial, "ни один инструмент не умеет system_query"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			tt.r.Language = "ru"
			got := planFor(t, tt.r)
			said := got.Reason()
			if p, ok := got.Plan(); ok {
				said += p.Actions()[0].Preview
			}
			if got.Status() != tt.status || !strings.Contains(said, tt.want) {
				t.Errorf("%s: %q, want %s and %q", got.Status(), said, tt.status, tt.want)
			}
		})
	}
}
