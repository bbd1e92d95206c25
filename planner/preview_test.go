package planner

import (
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/planner/interpret/lexicon"
	"errand/planner/plan"
)

// TestPreviewsHaveTexts: every action of a goal has a preview in every language.
func TestPreviewsHaveTexts(t *testing.T) {
	for _, tag := range i18n.Tags() {
		for _, key := range lexicon.PageActions() {
			got := i18n.ForTag(tag).Say("plan.page_action", "action", key, "page", "<it>")
			if !strings.Contains(got, "<it>") || strings.Contains(got, key) {
				t.Errorf("plan.page_action of %s in %s: %q", key, tag, got)
			}
		}
		for _, code := range fileCodes {
			if got := i18n.ForTag(tag).Say(code, "path", "<it>"); !strings.Contains(got, "<it>") || strings.Contains(got, code) {
				t.Errorf("%s in %s: %q", code, tag, got)
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
		{withTools(request(ask("time")), launchTool), plan.NoCapability, "здесь нет инструмента, который это умеет"},
		{withTools(request(visit("github")), openTool), plan.Blocked, "Ни один инструмент не обеспечит того"},
		{request(file("create", "folder", "заметки")), plan.Blocked, "Непонятно, в какой папке"},
		{withTools(request(ask("time"), launch("notepad")), launchTool), plan.Partial, "здесь нет инструмента, который это умеет"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			tt.r.Language = "ru"
			got := planFor(t, tt.r)
			said := i18n.ForTag("ru").Text(got.Reason())
			if p, ok := got.Plan(); ok {
				said += i18n.ForTag(p.Content().Language).Text(p.Actions()[0].Preview)
			}
			if got.Status() != tt.status || !strings.Contains(said, tt.want) {
				t.Errorf("%s: %q, want %s and %q", got.Status(), said, tt.status, tt.want)
			}
		})
	}
}

// TestPagePreviews: one sentence says what is made of a page, how many rows and
// where it is kept.
func TestPagePreviews(t *testing.T) {
	rows := of(search("youtube", "nvidia"), "list", "results")
	rows.Limit = 5
	document := of(visit("github"), "save", "pdf")
	document.SaveTo = "/srv/github.pdf"
	download := of(plan.Goal{GoalType: plan.BrowserNavigate, Target: "https://example.com/", Query: "report.pdf"}, "download", "file")
	download.SaveTo = "/srv/"
	named := of(plan.Goal{GoalType: plan.BrowserNavigate, Target: "https://example.com/"}, "download", "file")
	named.SaveTo = "/srv/"
	for _, tt := range []struct {
		goal   plan.Goal
		en, ru string
	}{
		{rows, "List the results of the search for “nvidia” on YouTube (at most 5)", "Перечислить результаты: поиск «nvidia» на YouTube (не больше 5)"},
		{document, "Make a PDF of https://github.com/ and save it in /srv/github.pdf", "Сделать PDF: https://github.com/ и сохранить в /srv/github.pdf"},
		{download, "Download report.pdf on https://example.com/ and save it in /srv/report.pdf", "Скачать report.pdf со страницы https://example.com/ и сохранить в /srv/report.pdf"},
		{named, "Download https://example.com/ and save it in /srv/ under the name that the site gives it", "Скачать https://example.com/ и сохранить в /srv/ под именем, которое даст сайт"},
		{of(visit("github"), "fold", "page"), "fold_page https://github.com/", "fold_page https://github.com/"},
		{ask("battery"), "Show the battery level", "Сообщить заряд батареи"},
		{ask("weather"), "Show weather", "Сообщить weather"},
	} {
		a := &agenda{planner: planner}
		m, _ := a.readGoal(tt.goal)
		for tag, want := range map[string]string{"en": tt.en, "ru": tt.ru} {
			if got := i18n.ForTag(tag).Text(m.preview()); got != want {
				t.Errorf("%+v in %s: %q, want %q", tt.goal, tag, got, want)
			}
		}
	}
}

// TestSatisfiedReasons: a goal that holds already says what is there.
func TestSatisfiedReasons(t *testing.T) {
	for _, tt := range []struct {
		r      Request
		en, ru string
	}{
		{withWorld(request(file("create", "folder", "/srv/a")), plan.World{RecentFacts: []string{"exists:/srv/a"}}), "/srv/a already exists.", "/srv/a уже есть."},
		{withWorld(request(file("delete", "folder", "/srv/a")), plan.World{RecentFacts: []string{"gone:/srv/a"}}), "There is no folder /srv/a.", "Папки /srv/a нет."},
		{withWorld(request(visit("github")), plan.World{BrowserRunning: true, BrowserLastURL: "https://github.com/"}), "https://github.com/ is already open.", "Страница https://github.com/ уже открыта."},
		{withWorld(request(launch("notepad")), plan.World{ActiveWindow: "notepad"}), "Notepad is already open.", "Приложение Notepad уже открыто."},
		{
			withWorld(request(launch("notepad"), file("delete", "file", "/srv/a.txt")), plan.World{ActiveWindow: "notepad", RecentFacts: []string{"gone:/srv/a.txt"}}),
			"Notepad is already open. There is no file /srv/a.txt.", "Приложение Notepad уже открыто. Файла /srv/a.txt нет.",
		},
	} {
		got := planFor(t, tt.r)
		for tag, want := range map[string]string{"en": tt.en, "ru": tt.ru} {
			if reason := i18n.ForTag(tag).Text(got.Reason()); got.Status() != plan.AlreadySatisfied || reason != want {
				t.Errorf("%s in %s: %q, want %q", got.Status(), tag, reason, want)
			}
		}
	}
}
