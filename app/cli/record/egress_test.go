package record_test

import (
	"strings"
	"testing"
	"time"

	"errand/app/cli/record"
	"errand/app/i18n"
	"errand/build/must"
	"errand/host/trace"
)

// TestPrintEgress checks that the network use of a run is printed above its connections, in the
// user's language.
func TestPrintEgress(t *testing.T) {
	use := trace.Egress{Requests: 7, Connections: 3, Hosts: 1, Sent: 1100, Received: 5_000_000_000, Stopped: 1, MaxRequests: 20, MaxBytes: 8 << 30}
	rec := trace.Record{Events: []trace.Event{
		{Kind: trace.KindConnection, StepID: "a1", Data: map[string]any{"host": "a.example:443", "verdict": "allow", "rule": "allowlist.listed"}},
		{Kind: trace.KindConnection, StepID: "a2", Data: map[string]any{"host": "b.example:443", "verdict": "deny", "rule": "guard.budget", "reason": "spent"}},
		{Kind: trace.KindConnection, StepID: "a2", Data: map[string]any{
			"host": "c.example:443", "verdict": "allow", "rule": "allowlist.listed", "source": map[string]any{"msg": "session.browser_tunnel"},
		}},
		trace.EventOf("", time.Time{}, use),
	}, Steps: []trace.Step{{StepID: "a1"}, {StepID: "a2"}}}
	for language, want := range map[string]string{
		"en": `
Connections
   7 requests of 20 · 1 host · 1.1 KiB sent · 4.7 GiB received of 8 GiB · 1 stopped
   stopped  b.example:443  guard.budget  spent  a2
   allowed  a.example:443  allowlist.listed  a1
   allowed  c.example:443  allowlist.listed  opened by the browser itself, not by a page; it is encrypted, so only the host is known  a2
`,
		"ru": `
Соединения
   7 запросов из 20 · 1 узел · отправлено 1,1 КиБ · получено 4,7 ГиБ из 8 ГиБ · остановлено: 1
   остановлено  b.example:443  guard.budget  spent  a2
   разрешено  a.example:443  allowlist.listed  a1
   разрешено  c.example:443  allowlist.listed  соединение открыл сам браузер, а не страница; оно зашифровано, поэтому известен только сервер  a2
`,
	} {
		var b strings.Builder
		must.Succeed(t, record.Print(&b, rec, record.Options{Language: i18n.ForTag(language)}))
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s: got\n%s\nwant\n%s", language, b.String(), want)
		}
	}
}
