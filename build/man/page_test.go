package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"errand/app/cli"
	"errand/build/must"
)

func TestEveryCommandHasAPageThatNamesItsFlags(t *testing.T) {
	out := t.TempDir()
	must.Succeed(t, write(out, "1767225600"))
	for _, c := range commands(cli.Tree()) {
		b, err := os.ReadFile(filepath.Join(out, fileName(c)))
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(string(b), `"2026-01-01"`) {
			t.Errorf("%s has another date", pageName(c))
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if has := strings.Contains(string(b), literal("--"+f.Name)+`\fR`); has == f.Hidden {
				t.Errorf("%s: --%s is there: %v, hidden: %v", pageName(c), f.Name, has, f.Hidden)
			}
		})
	}
}

func TestPage(t *testing.T) {
	root := &cobra.Command{Use: "errand", Version: "9.9"}
	c := &cobra.Command{
		Use: "say WORDS", Short: "Say it", Run: func(*cobra.Command, []string) {},
		Long:    "Say says\n.what it is told, \\ and all.\n\n  errand say 'it''s'\n    --loud\n\nThat is it.",
		Example: "  errand say --loud ~",
	}
	c.Flags().String("voice", "alto", "in this `VOICE`")
	root.AddCommand(c)
	got := string(page(c, ""))
	for _, want := range []string{
		".SH EXIT STATUS\n.TP\n.B 0\nSuccess.\n.TP\n.B 1\n",
		`.TH "ERRAND-SAY" 1 "" "errand 9.9"`,
		"errand\\-say \\- Say it\n",
		".B errand say WORDS",
		".PP\nSay says\n\\&.what it is told, \\e and all.\n",
		".nf\nerrand say \\(aqit\\(aq\\(aqs\\(aq\n  \\-\\-loud\n.fi\n",
		".PP\nThat is it.\n",
		`\fB\-\-voice\fR \fIVOICE\fR` + "\nin this VOICE (default alto)\n",
		"errand say \\-\\-loud \\(ti\n",
		".SH SEE ALSO\n.BR errand (1)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestGroffWarnings has the pages set as man does.
func TestGroffWarnings(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("groff is missing")
	}
	for _, c := range commands(cli.Tree()) {
		cmd := exec.Command(groff, "-man", "-Tutf8", "-k", "-ww", "-z")
		cmd.Stdin = strings.NewReader(string(page(c, "2026-01-01")))
		if c.Parent() == nil {
			cmd.Stdin = io.MultiReader(cmd.Stdin, bytes.NewReader(configurationPage("2026-01-01")))
		}
		if said, err := cmd.CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("%s: %v %s", pageName(c), err, said)
		}
	}
}

func TestInvalidEpoch(t *testing.T) {
	if err := write(t.TempDir(), "yesterday"); err == nil || !strings.Contains(err.Error(), "yesterday") {
		t.Errorf("write = %v", err)
	}
}
