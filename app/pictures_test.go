package app

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/answers"
	"errand/app/i18n"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

func TestEachPictureOnce(t *testing.T) {
	step := func(name string, paths ...string) trace.Step {
		s := trace.Step{ToolName: name}
		for _, p := range paths {
			s.Artifacts = append(s.Artifacts, tool.Artifact{Name: "x.png", Path: p})
		}
		return s
	}
	tests := map[string]struct {
		answer string
		steps  []trace.Step
		want   []string
	}{
		"a page that was opened":                    {"Opened x", []trace.Step{step("system.apps.launch.shell", "/1")}, []string{"/1"}},
		"a picture that was asked for":              {"Picture: /2", []trace.Step{step("system.apps.launch.shell", "/1"), step("browser.screenshot", "/2")}, nil},
		"a picture that could not be kept":          {"", []trace.Step{step("browser.open", "/1"), step("browser.screenshot", "")}, []string{""}},
		"a document that is kept elsewhere as well": {"Saved /d/x.pdf", []trace.Step{step("browser.open", "/1"), step("browser.pdf", "/2"), step("files.keep")}, []string{"/2"}},
		"two pages with one picture":                {"", []trace.Step{step("browser.open", "/1"), step("browser.open", "/1"), step("browser.open", "/3")}, []string{"/1", "/3"}},
		"words of a page, and how it looked":        {"words", []trace.Step{step("browser.open", "/1"), step("browser.read_text")}, []string{"/1"}},
	}
	for name, tt := range tests {
		var got []string
		for _, a := range answers.ShownArtifacts(message.Verbatim(tt.answer), tt.steps) {
			got = append(got, a.Path)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestAnswerOfADownload: where the file is, how large, and what is not as one
// would think.
func TestAnswerOfADownload(t *testing.T) {
	tests := map[string]struct {
		args, payload map[string]any
		en, ru        string
	}{
		"as it was asked for": {
			map[string]any{"path": "/d/f.bin"},
			map[string]any{"path": "/d/f.bin", "name": "f.bin", "size": 4776.0, "media_type": "application/octet-stream"},
			"Saved /d/f.bin, 4.7 KiB", "Сохранено: /d/f.bin, 4,7 КиБ",
		},
		"under a number": {
			map[string]any{"path": "/d/f.bin"},
			map[string]any{"path": "/d/f (2).bin", "name": "f (2).bin", "size": 12.0},
			"Saved /d/f (2).bin, 12 bytes; f.bin already existed", "Сохранено: /d/f (2).bin, 12 байт; имя f.bin было занято",
		},
		"as the site names it, in a folder": {
			map[string]any{"path": "/d/"},
			map[string]any{"path": "/d/x.zip", "name": "x.zip", "size": 2500000.0},
			"Saved /d/x.zip, 2.4 MiB", "Сохранено: /d/x.zip, 2,4 МиБ",
		},
		"into a folder that is named without a slash": {
			map[string]any{"path": "/d"}, map[string]any{"path": "/d/x.zip", "name": "x.zip", "size": 1.0}, "Saved /d/x.zip, 1 byte", "Сохранено: /d/x.zip, 1 байт",
		},
		"a page by another name": {
			map[string]any{"name": "b.zip"},
			map[string]any{"path": "/d/b.zip", "name": "b.zip", "size": 100.0, "media_type": "text/html"},
			"Saved /d/b.zip, 100 bytes; it is a web page despite its name", "Сохранено: /d/b.zip, 100 байт; это веб-страница, несмотря на имя",
		},
		"a page": {
			map[string]any{},
			map[string]any{"path": "/d/github.com.html", "name": "github.com.html", "size": 100.0, "media_type": "text/html"},
			"Saved /d/github.com.html, 100 bytes", "Сохранено: /d/github.com.html, 100 байт",
		},
	}
	for name, tt := range tests {
		tt.payload["url"], tt.payload["sha256"] = "https://x.example/f", "…"
		s := trace.Step{StepID: "a1", ToolName: "browser.download", Status: trace.Done, Args: tt.args, Payload: tt.payload}
		for language, want := range map[string]string{"en": tt.en, "ru": tt.ru} {
			if got := i18n.ForTag(language).Text(answers.Compose(plan.Plan{}, []trace.Step{s})); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
}
