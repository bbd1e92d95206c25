package soak

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/llm/llmtest"
)

// length returns how long the soak lasts: as SOAK says, or two seconds with one kill.
func length(t *testing.T) time.Duration {
	text := os.Getenv("SOAK")
	if text == "" {
		return 2 * time.Second
	}
	d, err := time.ParseDuration(text)
	must.Succeed(t, err)
	return d
}

// program returns the path of errand: ERRAND_BIN, or a new one.
func program(t *testing.T) string {
	if built := os.Getenv("ERRAND_BIN"); built != "" {
		return built
	}
	name := filepath.Join(t.TempDir(), "errand")
	build := exec.Command("go", "build", "-o", name, "errand/cmd/errand")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	return name
}

// TestSoak has two job servers do tasks and goals, with a model that follows scripts and often fails.
// One is killed again and again. The other one has to stay as small as it was.
func TestSoak(t *testing.T) {
	duration := length(t)
	servers := map[string]*server{}
	m := newModel(uint64(time.Now().UnixNano()), func(name string) *server { return servers[name] })
	models := llmtest.Start(t, m.next)
	errand := program(t)
	servers["steady"] = newServer(t, "steady", errand, models.URL)
	servers["killed"] = newServer(t, "killed", errand, models.URL)
	loads := []*load{}
	began, stop := time.Now(), make(chan struct{})
	var busy, watching sync.WaitGroup
	for _, s := range servers {
		l := &load{server: s, random: rand.New(rand.NewPCG(uint64(len(loads)), 2)), pause: min(500*time.Millisecond, duration/20)}
		if duration >= time.Minute {
			l.browse = 60
		}
		loads = append(loads, l)
		busy.Go(func() { l.work(stop, patience) })
	}
	kills := 0
	watching.Go(func() { kills = killRepeatedly(servers["killed"], duration, stop) })
	samples := watch(t, servers["steady"], began, duration)
	close(stop)
	watching.Wait()
	busy.Wait()
	steady := servers["steady"]
	last, err := measure(steady.cmd.Process.Pid, time.Since(began))
	must.Succeed(t, err)
	used := processorTime(steady.cmd.Process.Pid)
	counts := map[string]int{}
	for name, s := range servers {
		if left := processesOf(s.home); len(left) != 1 {
			t.Errorf("%s: processes %q beside the server", name, left)
		}
		_ = s.end(syscall.SIGQUIT)
		counts[name] = goroutines(s.said.Bytes())
	}
	if duration >= 30*time.Second { // before that, much is used for the first time
		checkGrowth(t, samples, last, counts)
	}
	ended := checkJobs(t, loads)
	for _, s := range servers {
		s.start() // and ends as a user ends it
		if err := s.end(os.Interrupt); err != nil {
			t.Errorf("%s: the end of the server: %v\n%s", s.name, err, s.said)
		}
		checkRemains(t, s)
	}
	if m.leaked != "" {
		t.Errorf("the model got the secret %s", m.leaked)
	}
	self := syscall.Rusage{}
	must.Succeed(t, syscall.Getrusage(syscall.RUSAGE_CHILDREN, &self))
	t.Logf("%v: %d jobs, %d kills, %v of processor time; ends %v", time.Since(began).Round(time.Second), loads[0].number+loads[1].number, kills, time.Duration(self.Utime.Nano()+self.Stime.Nano()).Round(100*time.Millisecond), ended)
	t.Logf("the server that was not killed: %.1f MiB at the begin, %.1f MiB at the end, %+.2f MiB a minute after the warm-up; open files %v; %d threads; %d goroutines (%d in one that was started %v ago); %v of processor time",
		samples[0].memory, last.memory, slope(lows(settled(samples))), windows(samples), last.threads, counts["steady"], counts["killed"], time.Since(servers["killed"].began).Round(time.Second), used)
	t.Logf("%d turns with one calculation, from the model's answer to the next request, with the record: p50 %v, p99 %v", len(m.turns), quantile(m.turns, 0.5), quantile(m.turns, 0.99))
}

// killRepeatedly kills the server every 20 seconds or so, in a short soak once.
func killRepeatedly(s *server, duration time.Duration, stop <-chan struct{}) (kills int) {
	for {
		select {
		case <-stop:
			return kills
		case <-time.After(min(15*time.Second+rand.N(10*time.Second), duration*2/3)):
			s.restart()
			kills++
		}
	}
}

// watch measures the server until the time is over.
func watch(t *testing.T, s *server, began time.Time, duration time.Duration) (samples []sample) {
	tick := time.NewTicker(min(2*time.Second, duration/20))
	defer tick.Stop()
	for time.Since(began) < duration {
		<-tick.C
		m, err := measure(s.cmd.Process.Pid, time.Since(began))
		must.Succeed(t, err)
		samples = append(samples, m)
	}
	return samples
}

// settled are the samples after the warm-up: a fifth of the time, at least half a minute.
func settled(samples []sample) []sample {
	warm := max(samples[len(samples)-1].at/5, 30*time.Second)
	return slices.Collect(func(yield func(sample) bool) {
		for _, s := range samples {
			if s.at > warm && !yield(s) {
				return
			}
		}
	})
}

// patience is how long the last jobs may take. One that waits for an answer of the user is looked at
// each minute.
const patience = 90 * time.Second

const (
	maxSlope      = 1.0 // MiB a minute
	maxBreath     = 24  // MiB that the heap may be larger just before a collection
	maxFiles      = 16  // that are open more at the end
	maxGoroutines = 20  // more than in a server that was just started
)

// checkGrowth checks that the server has not grown.
func checkGrowth(t *testing.T, samples []sample, last sample, counts map[string]int) {
	if rest := lows(settled(samples)); len(rest) == 10 {
		took := (rest[len(rest)-1].at - rest[0].at).Minutes()
		if by := slope(rest); by > maxSlope && by*took > maxBreath {
			t.Errorf("the memory grows by %.2f MiB a minute, at most %v", by, maxSlope)
		}
	}
	if files := windows(samples); len(files) > 2 && files[len(files)-1]-files[1] > maxFiles {
		t.Errorf("the open files grow: %v", files)
	}
	if n := counts["steady"] - counts["killed"]; n > maxGoroutines || counts["steady"] == 0 || counts["killed"] == 0 {
		t.Errorf("goroutines: %v", counts)
	}
	if last.files-samples[0].files > maxFiles {
		t.Errorf("%d open files when all jobs have ended, %d at the begin", last.files, samples[0].files)
	}
}

// checkJobs checks that each job has ended as it may, with each effect once, and returns the stop
// reasons.
func checkJobs(t *testing.T, loads []*load) map[string]int {
	ends := map[string]int{}
	for _, l := range loads {
		for _, fault := range l.faults {
			t.Error(fault)
		}
		for _, j := range l.ended {
			ends[j.StopReason]++
			isCancelled := j.kind == "cancelled" && j.Status == "cancelled" // perhaps before its run began
			if j.StopReason == "" && !isCancelled || kinds[j.kind] != nil && !slices.Contains(kinds[j.kind], j.StopReason) {
				t.Errorf("%s: the job %v, want it to end with %q; the last decision: %s; its draft: %s", l.server.name, j, kinds[j.kind], j.said, l.server.draft(j.DraftID))
			}
			want := 0
			if j.kind == "writes" || j.kind == "twice" {
				want = 1
			}
			text, _ := os.ReadFile(l.server.path(effectsOf(j.number)))
			if n := strings.Count(string(text), j.kind+" "+j.number+"\n"); n != want && (j.kind != "cancelled" || n > 1) {
				t.Errorf("%s: the job %v had its effect %d times, want %d", l.server.name, j, n, want)
			}
			for name, want := range map[string]bool{j.kind + j.number + ".txt": j.kind == "writes", "Goal" + j.number: j.kind == "goalwrites"} {
				if _, err := os.Stat(l.server.path(name)); (err == nil) != want && j.kind != "cancelled" {
					t.Errorf("%s: the job %v: %s is there: %t", l.server.name, j, name, err == nil)
				}
			}
		}
		if notes, err := os.ReadFile(l.server.path("notes.txt")); err != nil || len(notes) == 0 {
			t.Errorf("%s: a denied call was made: %v", l.server.name, err)
		}
	}
	return ends
}

// checkRemains checks that an ended server leaves no process, no temporary file and no secret.
func checkRemains(t *testing.T, s *server) {
	if left := processesOf(s.home); len(left) > 0 {
		t.Errorf("%s: processes are left: %q", s.name, left)
	}
	left := []string{}
	must.Succeed(t, filepath.WalkDir(s.home, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == filepath.Join(s.home, "Documents"):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		if strings.HasPrefix(name, filepath.Join(s.home, "tmp")) {
			left = append(left, name)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		content := must.ReadFile(t, name)
		for _, secret := range append([]string{s.token}, secrets...) {
			if bytes.Contains(content, []byte(secret)) {
				t.Errorf("%s has the secret %s", name, secret)
			}
		}
		return nil
	}))
	if len(left) > 0 {
		t.Errorf("%s: temporary files are left: %q", s.name, fmt.Sprint(left))
	}
}
