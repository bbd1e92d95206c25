//go:build unix

package chromium_test

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/browser/chromium"
)

// programEnv makes the test binary a program that starts a browser and then
// waits to be killed: "<folder> <browser> <profile>".
const programEnv = "ERRAND_CHROMIUM_PROGRAM"

func TestMain(m *testing.M) {
	if args := os.Getenv(programEnv); args != "" {
		startBrowser(args)
	}
	os.Exit(m.Run())
}

func startBrowser(args string) {
	f := append(strings.Fields(args), "")
	_, err := chromium.Start(chromium.Options{
		Dir: f[0], Bin: f[1], Profile: f[2], Profiles: chromium.Profiles{Dir: filepath.Join(f[0], "profiles")},
		Proxy: chromium.Proxy{Addr: netip.MustParseAddrPort("127.0.0.1:1")},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	select {}
}

// fakeBrowser makes a program that stands in for Chromium while it starts. It ends when its pipe
// closes. It leaves a process behind that keeps writing into the profile, and recreates its
// folder, until the file at stop exists. If marked, the command line of that process names the
// profile, as Chromium's usually does.
func fakeBrowser(t *testing.T, stop string, marked bool) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, script string) string {
		path := filepath.Join(dir, name)
		must.Succeed(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755))
		return path
	}
	writer := write("writer", fmt.Sprintf(`
while [ ! -e %q ]; do
	mkdir -p "$DATA/Default"
	echo something > "$DATA/Default/written"
	sleep 0.01
done
`, stop))
	argument := ""
	if marked {
		argument = `"--user-data-dir=$DATA"`
	}
	return write("browser", fmt.Sprintf(`
for argument; do
	case $argument in --user-data-dir=*) DATA=${argument#*=} ;; esac
done
export DATA
%q %s 3<&- 4>&- &
exec cat <&3 >/dev/null
`, writer, argument))
}

// killWhileStarting starts a program that starts the browser bin below dir, and kills it when the
// browser has written into its profile. It returns the scratch folder.
func killWhileStarting(t *testing.T, dir, bin, profile string) string {
	t.Helper()
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), programEnv+"="+dir+" "+bin+" "+profile)
	program.Stderr = os.Stderr
	must.Succeed(t, program.Start())
	written := filepath.Join(dir, "errand-browser-*", "data", "Default", "written")
	if profile != "" {
		written = filepath.Join(dir, "profiles", profile, "data", "Default", "written")
	}
	begun := poll.WaitUntil(func() bool { found, _ := filepath.Glob(written); return len(found) > 0 })
	_ = program.Process.Kill()
	_ = program.Wait()
	folders, _ := filepath.Glob(filepath.Join(dir, "errand-browser-*"))
	if !begun || len(folders) != 1 {
		t.Fatalf("the browser wrote: %t; folders: %v", begun, folders)
	}
	return folders[0]
}

func touch(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Error(err)
	}
}

// expectGone fails if a path exists or is created again.
func expectGone(t *testing.T, paths ...string) {
	t.Helper()
	for range 2 {
		for _, path := range paths {
			if _, err := os.Lstat(path); err == nil {
				t.Errorf("%s is there", path)
				return
			}
		}
		poll.SettleDown()
	}
}

// TestSweepWaitsForWriters checks that a folder is removed only when no process of its browser
// can write there.
func TestSweepWaitsForWriters(t *testing.T) {
	t.Parallel()
	t.Run("a process that does not end", func(t *testing.T) {
		dir, stop := t.TempDir(), filepath.Join(t.TempDir(), "stop")
		defer touch(t, stop)
		scratch := killWhileStarting(t, dir, fakeBrowser(t, stop, false), "")
		removed, err := chromium.SweepUntil(dir, time.Now().Add(200*time.Millisecond))
		if removed != 0 || err == nil || !strings.Contains(err.Error(), scratch) {
			t.Errorf("Sweep = %d, %v; want 0 and an error that names %s", removed, err, scratch)
		}
		if _, err := os.Stat(filepath.Join(scratch, "owner")); err != nil {
			t.Errorf("after Sweep: %v", err)
		}
		touch(t, stop)
		if removed, err := chromium.Sweep(dir); removed != 1 || err != nil {
			t.Errorf("the next Sweep = %d, %v, want 1", removed, err)
		}
		expectGone(t, scratch)
	})
	t.Run("a process that ends by itself", func(t *testing.T) {
		dir, stop := t.TempDir(), filepath.Join(t.TempDir(), "stop")
		scratch := killWhileStarting(t, dir, fakeBrowser(t, stop, false), "")
		ended := time.AfterFunc(300*time.Millisecond, func() { touch(t, stop) })
		if removed, err := chromium.Sweep(dir); removed != 1 || err != nil {
			t.Errorf("Sweep = %d, %v, want 1", removed, err)
		}
		if ended.Stop() {
			touch(t, stop)
			t.Error("Sweep did not wait for the process")
		}
		expectGone(t, scratch)
	})
	t.Run("a process that names the profile", func(t *testing.T) {
		dir, stop := t.TempDir(), filepath.Join(t.TempDir(), "stop")
		defer touch(t, stop)
		scratch := killWhileStarting(t, dir, fakeBrowser(t, stop, true), "")
		if removed, err := chromium.Sweep(dir); removed != 1 || err != nil {
			t.Errorf("Sweep = %d, %v, want 1", removed, err)
		}
		expectGone(t, scratch)
	})
	t.Run("a named profile", func(t *testing.T) {
		dir, stop := t.TempDir(), filepath.Join(t.TempDir(), "stop")
		profiles := chromium.Profiles{Dir: filepath.Join(dir, "profiles")}
		scratch := killWhileStarting(t, dir, fakeBrowser(t, stop, false), "work")
		ended := time.AfterFunc(300*time.Millisecond, func() { touch(t, stop) })
		if err := profiles.Remove("work"); err != nil {
			t.Errorf("Remove = %v", err)
		}
		if ended.Stop() {
			touch(t, stop)
			t.Error("Remove did not wait for the process")
		}
		if removed, err := chromium.Sweep(dir); removed != 1 || err != nil {
			t.Errorf("Sweep = %d, %v, want 1", removed, err)
		}
		expectGone(t, scratch, filepath.Join(profiles.Dir, "work"))
	})
}

// TestSweepAtEveryStage checks that a sweep removes a scratch folder at every stage of being made
// or removed.
func TestSweepAtEveryStage(t *testing.T) {
	t.Parallel()
	holder := must.JSON(t, chromium.Holder{PID: deadProcess(t)})
	temporary := filepath.Join(t.TempDir(), "errand-tmp-abcdefgh")
	part := filepath.Join(t.TempDir(), ".errand-abc.part")
	tests := []struct {
		name  string
		files map[string]string
	}{
		{"the folder is made", nil},
		{"its owner's file is made", map[string]string{"owner": ""}},
		{"its owner is written", map[string]string{"owner": string(holder)}},
		{"temporary files are noted", map[string]string{"owner": string(holder), "temporary": temporary}},
		{"there is a profile", map[string]string{"owner": string(holder), "temporary": temporary, "data/Default/Preferences": "{}"}},
		{"a file is on its way", map[string]string{"owner": string(holder), "temporary": temporary, "unfinished": part + "\n" + part[:3]}},
		{"the owner's file is removed", map[string]string{"temporary": temporary, "data/Default/Preferences": "{}", "unfinished": part + "\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			scratch := filepath.Join(dir, "errand-browser-1")
			must.Succeed(t, os.Mkdir(scratch, 0o700))
			for name, content := range tt.files {
				path := filepath.Join(scratch, name)
				must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
				must.Succeed(t, os.WriteFile(path, []byte(content), 0o600))
			}
			if tt.files["temporary"] != "" {
				must.Succeed(t, os.MkdirAll(filepath.Join(temporary, "of Chromium"), 0o700))
			}
			if tt.files["unfinished"] != "" {
				touch(t, part)
			}
			if removed, err := chromium.Sweep(dir); removed != 1 || err != nil {
				t.Errorf("Sweep = %d, %v, want 1", removed, err)
			}
			expectGone(t, scratch, temporary, part)
		})
	}
}

// TestSweepWaitsForFork checks that a copy of the lock in a fork of a dead program does not count
// as an owner.
func TestSweepWaitsForFork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	scratch := filepath.Join(dir, "errand-browser-1")
	must.Succeed(t, os.Mkdir(scratch, 0o700))
	owner, err := os.Create(filepath.Join(scratch, "owner"))
	must.Succeed(t, err)
	must.Succeed(t, json.NewEncoder(owner).Encode(chromium.Holder{PID: deadProcess(t)}))
	must.Succeed(t, syscall.Flock(int(owner.Fd()), syscall.LOCK_EX))
	fork := exec.Command("sleep", "0.3")
	fork.ExtraFiles = []*os.File{owner}
	must.Succeed(t, fork.Start())
	defer fork.Wait()
	must.Succeed(t, owner.Close())
	if removed, err := chromium.Sweep(dir); removed != 1 || err != nil {
		t.Errorf("Sweep = %d, %v, want 1", removed, err)
	}
	expectGone(t, scratch)
}

// deadProcess returns the id of a process that has ended.
func deadProcess(t *testing.T) int {
	t.Helper()
	c := exec.Command("true")
	must.Succeed(t, c.Run())
	return c.Process.Pid
}

// TestSweepBesideMakers checks that a sweep never removes a folder in use, even while it is being
// made.
func TestSweepBesideMakers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	done := make(chan struct{})
	var makers, sweepers sync.WaitGroup
	for range 2 {
		sweepers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if _, err := chromium.Sweep(dir); err != nil {
					t.Errorf("Sweep: %v", err)
				}
			}
		})
	}
	for range 4 {
		makers.Go(func() {
			for range 50 {
				folder, remove, err := chromium.NewScratch(dir)
				if err != nil {
					t.Errorf("make a folder: %v", err)
					return
				}
				file := filepath.Join(folder, "file")
				touch(t, file)
				time.Sleep(time.Millisecond)
				if _, err := os.Stat(file); err != nil {
					t.Errorf("a folder in use: %v", err)
				}
				if err := remove(); err != nil {
					t.Errorf("remove a folder: %v", err)
				}
			}
		})
	}
	makers.Wait()
	close(done)
	sweepers.Wait()
	if removed, err := chromium.Sweep(dir); removed != 0 || err != nil {
		t.Errorf("Sweep of nothing = %d, %v", removed, err)
	}
	if left := names(dir); left != "" {
		t.Errorf("left: %s", left)
	}
}

func TestSweepLeavesOthersAlone(t *testing.T) {
	dir := t.TempDir()
	must.Succeed(t, os.Mkdir(filepath.Join(dir, "someone-elses"), 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "errand-browser-file"), nil, 0o600))
	used, remove, err := chromium.NewScratch(dir)
	must.Succeed(t, err)
	if removed, err := chromium.Sweep(dir); removed != 0 || err != nil {
		t.Errorf("Sweep = %d, %v, want 0", removed, err)
	}
	if got, want := names(dir), filepath.Base(used)+" errand-browser-file someone-elses"; got != want {
		t.Errorf("after Sweep: %s, want %s", got, want)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if removed, err := chromium.Sweep(filepath.Join(dir, "missing")); removed != 0 || err != nil {
		t.Errorf("Sweep of a folder that does not exist = %d, %v", removed, err)
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
