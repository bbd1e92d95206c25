package print_test

import (
	"bytes"
	"strings"
	"testing"

	"errand/app/cli/print"
	"errand/app/doctor"
	"errand/app/i18n"
	"errand/planner/message"
)

// TestPrintEgress checks that ways and works have names in the user's language.
func TestPrintEgress(t *testing.T) {
	way := func(code string, change func(*doctor.EgressWay)) doctor.EgressWay {
		w := doctor.EgressWay{Name: "x", Description: message.New(code), Tried: true, Stop: doctor.EgressStop{By: "browser"}}
		change(&w)
		return w
	}
	report := doctor.EgressReport{Browser: "Chrome/1", Broken: []string{"picture"}, Report: doctor.EgressDetails{
		Ways: []doctor.EgressWay{
			way("doctor.egress_image", func(w *doctor.EgressWay) { w.Hits = 1 }),
			way("doctor.egress_frame", func(w *doctor.EgressWay) { w.Tried = false }),
			way("doctor.egress_redirect", func(*doctor.EgressWay) {}),
			way("doctor.egress_private_name", func(w *doctor.EgressWay) { w.Stop.Rule = "floor.private_address" }),
		},
		Works: []doctor.EgressWork{
			{Name: "page", Description: message.New("doctor.egress_page"), Done: true},
			{Name: "picture", Description: message.New("doctor.egress_own_image")},
		},
	}}
	for language, want := range map[string][]string{
		"en": {"a picture: data got out", "a frame: nothing", "a redirect (the", "an allowed name with a private address (browser, floor.", "works      the page", "broken     a picture of its own"},
		"ru": {"картинка: данные", "фрейм: неизвестно", "перенаправление (браузер", "разрешённое имя с частным адресом (browser, floor.", "  страница\n", "  картинка самой страницы\n"},
	} {
		var b bytes.Buffer
		s := print.Console{Writer: print.Writer{Stdout: &b, Speaker: print.Speaker{Language: func(string) *i18n.Language { return i18n.ForTag(language) }}}}
		s.PrintEgress(report)
		for _, line := range want {
			if !strings.Contains(b.String(), line) {
				t.Errorf("%s: no %q in\n%s", language, line, b.String())
			}
		}
	}
}
