package plancheck_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"errand/app"
	"errand/app/config"
	"errand/app/i18n"
	"errand/app/plancheck"
	"errand/build/must"
)

// home opens the program in a home of its own.
func home(tb testing.TB) *app.App {
	tb.Helper()
	dir := tb.TempDir()
	env := []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CACHE_HOME=" + filepath.Join(os.TempDir(), "errand-plancheck-cache")}
	app, err := app.Open(app.Options{Config: config.Options{Env: env}})
	must.Succeed(tb, err)
	tb.Cleanup(func() {
		if err := app.Close(); err != nil {
			tb.Error(err)
		}
	})
	return app
}

// BenchmarkRun plans and judges one case of each usual kind.
func BenchmarkRun(b *testing.B) {
	checker, err := home(b).PlanChecker(b.Context())
	must.Succeed(b, err)
	for _, text := range []string{"open youtube and search nvidia", "what time is it", "create folder Reports in documents"} {
		for _, verdict := range []string{"", "\nverdict = \"allow\""} {
			name := filepath.Join(b.TempDir(), "case.toml")
			doc := "[[case]]\nname = \"one\"\ntext = \"" + text + "\"\n[case.expect]\nactions = 1" + verdict + "\n"
			must.Succeed(b, os.WriteFile(name, []byte(doc), 0o666))
			cases, err := plancheck.Read(name)
			must.Succeed(b, err)
			b.Run(strings.ReplaceAll(text, " ", "_")+strings.ReplaceAll(verdict, "\n", "/"), func(b *testing.B) {
				for b.Loop() {
					if o := checker.Run(b.Context(), cases[0]); !o.HasPassed() {
						b.Fatal(plancheck.Text(o, i18n.English().Text))
					}
				}
			})
		}
	}
}

// BenchmarkRead reads files of a thousand cases: the time for each must not grow
// with their number.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{100, 1000, 5000} {
		var doc strings.Builder
		for i := range n {
			fmt.Fprintf(&doc, "[[case]]\nname = \"case %d\"\ntext = \"open youtube and search nvidia\"\n[case.expect]\nstatus = \"success\"\nactions = 1\n\n", i)
		}
		name := filepath.Join(b.TempDir(), "cases.toml")
		must.Succeed(b, os.WriteFile(name, []byte(doc.String()), 0o666))
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := plancheck.Read(name); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/case")
		})
	}
}
