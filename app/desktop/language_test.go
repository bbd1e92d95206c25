package desktop

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"errand/app/desktop/view"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

func TestLanguageOfThePage(t *testing.T) {
	tests := []struct {
		name       string
		configured string
		system     []string
		want       string
	}{
		{"nothing is known", "", nil, "en"},
		{"the system's", "", []string{"ru-RU", "en"}, "ru"},
		{"the first that there is", "", []string{"xx", "ru"}, "ru"},
		{"the configured one", "en", []string{"ru"}, "en"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			engine := litmusEngine(t, policy.Allow)
			engine.conf.UI.Language = tt.configured
			boot, err := opened(t, engine, &fakeFace{}).Start(tt.system)
			if err != nil || boot.Language != tt.want {
				t.Errorf("language %q, want %q: %v", boot.Language, tt.want, err)
			}
		})
	}
}

// TestRunLanguage: answers, events, notices and errors; after a
// change of the language what is asked for again, too.
func TestRunLanguage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := message.New("window.status.interrupted")
		engine, face := litmusEngine(t, policy.Allow), &fakeFace{}
		engine.startWish = func(_ context.Context, r runs.Request) (runs.Report, error) {
			engine.tellPlanned(r)
			report := engine.report(trace.Done)
			report.Answer = stopped
			return report, nil
		}
		life := lifeOf(t, engine, face)
		api := life.API()
		succeed[view.Boot](t)(api.Start([]string{"ru"}))
		must.Succeed(t, api.Attend(false))
		succeed[view.Run](t)(api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}}))
		<-api.latest().Finished()
		events := face.heard()
		if last := events[len(events)-1].Run; last == nil || last.Answer.String() != "Остановлено" {
			t.Errorf("last event %+v", last)
		}
		if len(face.notices) != 1 || face.notices[0].Title != "Готово" {
			t.Errorf("notices %+v", face.notices)
		}
		for _, tt := range []struct{ language, answer, failure string }{{"ru", "Остановлено", "выполняется"}, {"en", "Stopped", "running"}} {
			succeed[view.Boot](t)(api.Start([]string{tt.language}))
			if run := succeed[view.Run](t)(api.Get(runID)); run.Answer.String() != tt.answer {
				t.Errorf("%s: answer %q", tt.language, run.Answer)
			}
			f, ok := life.Format(errRunActive).(*view.Failure)
			if !ok || !strings.Contains(f.Message.String(), tt.failure) {
				t.Errorf("%s: failure %+v", tt.language, f)
			}
		}
	})
}
