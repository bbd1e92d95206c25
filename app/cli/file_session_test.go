//go:build linux

package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/tier"
	"errand/plugins"
)

// fileGoals is a session of goals about files, in places that makeSession fills.
var fileGoals = []struct {
	words string
	want  string // a path below the home folder that is there afterwards; "!": that is not; "=": a text of the answer
	kill  string // kill the program once it is there; "!": once it is gone
}{
	{"list my downloads", "=file00000.pdf", ""},
	{"find pdf files in documents", "=file00001.pdf", ""},
	{"find file00002.pdf", "=inbox", ""},
	{"search my documents for file00008", "=letters", ""},
	{"read file00010.txt in downloads", "=number 10", ""},
	{"create a file todo.txt in documents with text buy milk", "Documents/todo.txt", ""},
	{"append eggs to todo.txt in documents", "Documents/todo.txt", ""},
	{"rename todo.txt in documents to shopping", "Documents/shopping.txt", ""},
	{"move shopping.txt from documents to documents/lists", "Documents/lists/shopping.txt", "Documents/lists/shopping.txt"},
	{"copy shopping.txt in documents/lists to the desktop", "Desktop/shopping.txt", ""},
	{"create folder trips in documents", "Documents/trips", ""},
	{"create a file plan.txt in documents/trips with text paris", "Documents/trips/plan.txt", ""},
	{"zip the folder letters in documents", "Documents/letters.zip", "Documents/letters.zip"},
	{"unzip letters.zip in documents to documents/unpacked", "Documents/unpacked/letters", ""},
	{"how big is the folder work in documents", "=file", ""},
	{"hash of file00010.txt in downloads", "=sha256", ""},
	{"copy the folder work in documents to the desktop", "Desktop/work", "Desktop/work"},
	{"rename the folder trips in documents to travels", "Documents/travels/plan.txt", ""},
	{"move the folder mess from the desktop to documents", "Documents/mess", "Documents/mess"},
	{"delete file00020.jpg in downloads", "!Downloads/file00020.jpg", ""},
	{"delete folder travels in documents", "!Documents/travels", "!Documents/travels"},
	{"move all pdfs from downloads to documents/invoices", "Documents/invoices/file00000.pdf", "Documents/invoices/*"},
	{"copy all photos from downloads to the desktop", "Desktop/file00090.png", "Desktop/file00020.jpg"},
	{"delete all .tmp files in downloads", "!Downloads/file00030.tmp", "!Downloads/file00030.tmp"},
	{"move all text files from downloads to documents/texts", "Documents/texts/file00010.txt", ""},
	{"append done to file00010.txt in documents/texts", "Documents/texts/file00010.txt", ""},
	{"move all files from documents/letters to documents/oldletters", "Documents/oldletters/file00008.pdf", "Documents/oldletters/*"},
	{"copy file00010.txt from documents/texts to the desktop", "Desktop/file00010.txt", ""},
	{"delete all .log files in downloads", "!Downloads/file00060.log", ""},
	{"rename file00010.txt on the desktop to ten", "Desktop/ten.txt", "Desktop/ten.txt"},
}

// fileSession is a home folder and the program.
type fileSession struct {
	t    *testing.T
	home string
}

// makeSession fills a home folder with n files in ten folders.
func makeSession(t *testing.T, n int) fileSession {
	t.Helper()
	s := fileSession{t, t.TempDir()}
	folders := []string{
		"Downloads", "Documents", "Downloads/inbox", "Documents/work", "Documents/archive/2024",
		"Documents/archive/2025", "Desktop", "Downloads/sets", "Documents/letters", "Desktop/mess",
	}
	kinds := []string{"pdf", "txt", "jpg", "tmp", "md", "csv", "log", "mp3", "doc", "png"}
	for i := range n {
		folder := filepath.Join(s.home, folders[i%10])
		text := strings.Repeat(fmt.Sprintf("letter %d, number %d\n", i%97, i), i%7+1)
		err := errors.Join(os.MkdirAll(folder, 0o700),
			os.WriteFile(filepath.Join(folder, fmt.Sprintf("file%05d.%s", i, kinds[i/10%10])), []byte(text), []fs.FileMode{0o600, 0o644, 0o755, 0o400}[i/100%4]))
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// tree is the mode and the content of everything in the folders of the session.
func (s fileSession) tree() map[string]string {
	s.t.Helper()
	tree := map[string]string{}
	for _, top := range []string{"Documents", "Downloads", "Desktop"} {
		err := filepath.WalkDir(filepath.Join(s.home, top), func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := e.Info()
			state := fmt.Sprint(info.Mode())
			if err == nil && !e.IsDir() {
				var content []byte
				content, err = os.ReadFile(path)
				state += fmt.Sprintf(" %x", sha256.Sum256(content))
			}
			tree[strings.TrimPrefix(path, s.home+"/")] = state
			return err
		})
		if err != nil {
			s.t.Fatal(err)
		}
	}
	return tree
}

// exists reports whether what a goal wants or what a kill waits for is there.
func (s fileSession) exists(what string) bool {
	path, gone := strings.CutPrefix(what, "!")
	found, err := filepath.Glob(filepath.Join(s.home, path))
	if err != nil {
		s.t.Fatal(err)
	}
	return len(found) > 0 != gone
}

func (s fileSession) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "ERRAND_AS_PROGRAM=1", "HOME="+s.home, "XDG_CONFIG_HOME="+s.home+"/.config",
		"XDG_DATA_HOME="+s.home+"/.local/share", "XDG_CACHE_HOME="+cache)
	return cmd
}

// call runs the program to its end, or kills it once something is there. It returns the exit
// code, -1 after a kill.
func (s fileSession) call(kill string, args ...string) (code int, out string) {
	s.t.Helper()
	cmd := s.command(args...)
	var shown bytes.Buffer
	cmd.Stdout, cmd.Stderr = &shown, &shown
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // the exit code tells
	}()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return cmd.ProcessState.ExitCode(), shown.String()
		case <-tick.C:
			if kill != "" && s.exists(kill) {
				if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
					s.t.Fatal(err)
				}
				kill = ""
			}
		}
	}
}

// nextCommand is the command of a hint that approves a draft as it is now.
var nextCommand = regexp.MustCompile(`"command": "errand (approve .*--(?:confirm|seen) .*)"`)

// finish takes a run to its end: it approves its draft, and resumes it after a kill.
func (s fileSession) finish(kill, out string, code int) string {
	s.t.Helper()
	for range 8 {
		switch code {
		case 0:
			return out
		case -1:
			runs := s.document("runs", "--json")["runs"].([]any)
			id := runs[0].(map[string]any)["run_id"].(string)
			code, out = s.call("", "resume", "--json", "--yes", id)
			if strings.Contains(out, `"run_done"`) { // it was killed after its last step
				return out
			}
		case 4:
			waiting := s.document("drafts", "--json")["drafts"].([]any)
			if len(waiting) != 1 {
				s.t.Fatalf("%d drafts wait\n%s", len(waiting), out)
			}
			id := waiting[0].(map[string]any)["draft_id"].(string)
			args := []string{"approve", "--json", id}
			for _, a := range s.document("drafts", "--json", id)["actions"].([]any) {
				if action := a.(map[string]any); action["status"] == "proposed" { // and has not run before a kill
					args = append(args, action["action_id"].(string))
				}
			}
			code, out = s.call(kill, args...)
			for range 3 { // it asks for the number of changes, and about what the killed program has done already
				m := nextCommand.FindStringSubmatch(out)
				if code != 4 || m == nil {
					break
				}
				code, out = s.call(kill, append(strings.Fields(m[1]), "--json")...)
			}
			kill = ""
		default:
			s.t.Fatalf("exit %d\n%s", code, end(out))
		}
	}
	s.t.Fatalf("not done after eight attempts: exit %d\n%s", code, end(out))
	return ""
}

// document is what a command prints with --json.
func (s fileSession) document(args ...string) map[string]any {
	s.t.Helper()
	out, err := s.command(args...).Output()
	var doc map[string]any
	if err == nil {
		err = json.Unmarshal(out, &doc)
	}
	if err != nil {
		s.t.Fatalf("%v: %v\n%.2000s", args, err, out)
	}
	return doc
}

// newest is the id of the newest run.
func (s fileSession) newest() string {
	return s.document("runs", "--json")["runs"].([]any)[0].(map[string]any)["run_id"].(string)
}

// TestFileSession runs thirty goals about files in a large folder, and kills the program in
// the middle of some. Then it undoes them, the newest first: after each undo, names, modes and
// contents are what they were before the goal.
func TestFileSession(t *testing.T) {
	if _, err := plugins.BundledFolders(); err != nil {
		t.Fatal(err)
	}
	s := makeSession(t, tier.Size(300, 10_000))
	type change struct {
		words, run string
		before     map[string]string
	}
	var changes []change
	before := s.tree()
	kills := 0
	for _, g := range fileGoals {
		began := time.Now()
		code, out := s.call(g.kill, "run", "--json", g.words)
		if code == -1 {
			kills++
		}
		run := s.newest()
		out = s.finish(g.kill, out, code)
		took := time.Since(began)
		text, isText := strings.CutPrefix(g.want, "=")
		if isText && !strings.Contains(out, text) || !isText && !s.exists(g.want) {
			t.Fatalf("%s: no %s\n%s", g.words, g.want, end(out))
		}
		after := s.tree()
		t.Logf("%6d ms  %s", took.Milliseconds(), g.words)
		if isText != cmp.Equal(before, after) {
			t.Errorf("%s: changed %t", g.words, isText)
		}
		if !isText {
			changes = append(changes, change{g.words, run, before})
		}
		before = after
	}
	for i := len(changes) - 1; i >= 0; i-- {
		c := changes[i]
		kill := ""
		if i%3 == 0 { // in the middle of the undo: at its first change
			kill = firstChange(before, c.before)
		}
		began := time.Now()
		code, out := s.call(kill, "undo", "--yes", "--json", c.run)
		if code == -1 {
			kills++
		}
		s.finish("", out, code)
		t.Logf("%6d ms  undo %s", time.Since(began).Milliseconds(), c.words)
		before = s.tree()
		if diff := cmp.Diff(c.before, before); diff != "" {
			t.Fatalf("after the undo of %q (-want +got):\n%.3000s", c.words, diff)
		}
	}
	t.Logf("killed %d times", kills)
	if kills < 5 {
		t.Errorf("killed %d times, want some more", kills)
	}
}

// firstChange is what shows that one tree becomes another: a path that appears, or "!" and one
// that goes.
func firstChange(from, to map[string]string) string {
	for _, path := range slices.Sorted(maps.Keys(to)) {
		if _, ok := from[path]; !ok {
			return path
		}
	}
	for _, path := range slices.Sorted(maps.Keys(from)) {
		if _, ok := to[path]; !ok {
			return "!" + path
		}
	}
	return ""
}

// end is the last part of a text.
func end(text string) string { return text[max(0, len(text)-1500):] }
