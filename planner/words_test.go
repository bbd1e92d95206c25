package planner

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"errand/planner/plan"
)

// TestWordsInBothLanguages: what can be said in English can be said in Russian,
// about as many things, and in Russian letters.
func TestWordsInBothLanguages(t *testing.T) {
	verb := regexp.MustCompile(`%[a-z.0-9]*[a-z]|%%`)
	cyrillic := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) })
	}
	compare := func(name, en, ru string) {
		if en == "" || ru == "" {
			t.Errorf("%s: %q and %q", name, en, ru)
		}
		if a, b := verb.FindAllString(en, -1), verb.FindAllString(ru, -1); !slices.Equal(a, b) {
			t.Errorf("%s: %q and %q are about different things", name, en, ru)
		}
		if cyrillic(en) || !cyrillic(ru) {
			t.Errorf("%s: %q and %q are not in their languages", name, en, ru)
		}
	}
	en, ru := reflect.ValueOf(*english), reflect.ValueOf(*russian)
	for i := range en.NumField() {
		name := en.Type().Field(i).Name
		switch a, b := en.Field(i), ru.Field(i); a.Kind() {
		case reflect.String:
			if name != "language" {
				compare(name, a.String(), b.String())
			}
		case reflect.Map:
			if a.Len() != b.Len() {
				t.Errorf("%s: %d in English, %d in Russian", name, a.Len(), b.Len())
			}
			for _, key := range a.MapKeys() {
				if !b.MapIndex(key).IsValid() {
					t.Errorf("%s[%s] has no Russian", name, key)
					continue
				}
				compare(name+" "+key.String(), a.MapIndex(key).String(), b.MapIndex(key).String())
			}
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
