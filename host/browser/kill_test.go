//go:build unix

package browser_test

import (
	"bufio"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/tier"
	"errand/host/browser/chromium"
)

// TestTwentyRuns does twenty runs (eight in the quick tier) that open a page and save a file, and
// kills every other one at a random moment. After the sweep nothing is left of any run: no
// process, profile, partial file or temporary file. Each run that was not killed saved its file.
func TestTwentyRuns(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	w := newWorld(t)
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/slow" {
			html("<title>ok</title>").ServeHTTP(rw, r)
			return
		}
		rw.Header().Set("Content-Disposition", "attachment; filename=slow.bin")
		for range 8 {
			_, _ = rw.Write(make([]byte, 1<<20))
			rw.(http.Flusher).Flush()
			time.Sleep(40 * time.Millisecond)
		}
	}))
	dir, tmp, root := t.TempDir(), t.TempDir(), t.TempDir()
	profiles := chromium.Profiles{Dir: filepath.Join(dir, "profiles")}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	stages := []string{"", "launched", "opened", "opened"} // the last two: while the file arrives, or is put in its place

	saved := 0
	for i := range tier.Size(8, 20) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "TMPDIR="+tmp, helperFilesEnv+"="+root,
			helperEnv+"="+dir+" "+w.proxy.Listener.Addr().String()+" "+w.spki)
		if i%4 >= 2 {
			cmd.Env = append(cmd.Env, helperProfileEnv+"=work")
		}
		out, err := cmd.StdoutPipe()
		must.Succeed(t, err)
		must.Succeed(t, cmd.Start())
		lines := bufio.NewReader(out)
		if i%2 == 0 { // not killed
			said, _ := io.ReadAll(lines)
			if err := cmd.Wait(); err != nil || !strings.Contains(string(said), "downloaded true <nil>\nclosed <nil>") {
				t.Errorf("run %d: %v, %s", i, err, said)
			}
			saved++
			continue
		}
		stage := stages[random.IntN(len(stages))]
		for line := ""; stage != "" && !strings.HasPrefix(line, stage); {
			if line, err = lines.ReadString('\n'); err != nil {
				t.Fatalf("run %d: %v", i, err)
			}
		}
		time.Sleep(time.Duration(random.IntN(900)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_, _ = io.Copy(io.Discard, lines)
		_ = cmd.Wait()
		if _, err := chromium.Sweep(dir); err != nil { // the first step of the next run
			t.Errorf("sweep after run %d: %v", i, err)
		}
		profiles.Sweep()
	}

	if left := processesOf(dir); len(left) > 0 {
		t.Errorf("processes: %v", left)
	}
	for _, place := range []struct{ path, want string }{{dir, "profiles"}, {profiles.Dir, "work"}, {tmp, ""}} {
		if got := names(place.path); got != place.want {
			t.Errorf("in %s: %q, want %q", place.path, got, place.want)
		}
	}
	entries, _ := os.ReadDir(root)
	whole := 0
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil || !strings.HasPrefix(e.Name(), "slow"):
			t.Errorf("in the folder for files: %s", e.Name())
		case info.Size() != 8<<20:
			t.Errorf("%s is of %d bytes", e.Name(), info.Size())
		default:
			whole++
		}
	}
	if whole < saved {
		t.Errorf("%d files were saved, and %d are there", saved, whole)
	}
}

func names(dir string) string {
	entries, _ := os.ReadDir(dir)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}
