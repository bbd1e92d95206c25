//go:build linux

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/build/tier"
)

// jobServer is `errand serve --api` as a process of its own, which a test can kill.
type jobServer struct {
	t     *testing.T
	home  string
	token string
	cmd   *exec.Cmd
	base  string
}

func (s *jobServer) program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "ERRAND_AS_PROGRAM=1", "HOME="+s.home, "XDG_CACHE_HOME="+cache, "XDG_DATA_HOME="+s.home+"/data", "XDG_CONFIG_HOME="+s.home+"/config")
	return cmd
}

func (s *jobServer) start() {
	s.t.Helper()
	s.cmd = s.program("serve", "--api", "--json")
	stdout, err := s.cmd.StdoutPipe()
	must.Succeed(s.t, err)
	var said bytes.Buffer
	s.cmd.Stderr = &said
	must.Succeed(s.t, s.cmd.Start())
	var at struct{ API string }
	if err := json.NewDecoder(stdout).Decode(&at); err != nil || at.API == "" {
		s.t.Fatalf("no address: %v\n%s", err, &said)
	}
	s.base = at.API
	go func() { _, _ = io.Copy(io.Discard, stdout) }() // ends with the process
}

// end ends the process with a signal.
func (s *jobServer) end(signal os.Signal) error {
	s.t.Helper()
	must.Succeed(s.t, s.cmd.Process.Signal(signal))
	return s.cmd.Wait()
}

func (s *jobServer) ask(method, path, body string, into any) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, strings.NewReader(body))
	must.Succeed(s.t, err)
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	must.Succeed(s.t, err)
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode/100 != 2 || json.Unmarshal(b, into) != nil {
		s.t.Fatalf("%s: %d %s %v", path, response.StatusCode, b, err)
	}
}

// TestKilledJobServer kills the server with SIGKILL at random moments of jobs that change files. After
// the next start each job ends, and each of its effects is there once.
func TestKilledJobServer(t *testing.T) {
	rounds := 6
	if tier.IsLong() {
		rounds = 40
	}
	home := t.TempDir()
	documents := filepath.Join(home, "Documents")
	must.Succeed(t, os.MkdirAll(documents, 0o700))
	must.Succeed(t, os.MkdirAll(filepath.Join(home, "config", "errand"), 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(home, "config", "errand", "errand.toml"), []byte("[[policy.rules]]\nverdict = \"allow\"\ntool = \"files.*\"\norigin = \"api\"\nreason = \"a test\"\n"), 0o600))
	s := &jobServer{t: t, home: home}
	out, err := s.program("serve", "token", "add", "test", "--json").Output()
	must.Succeed(t, err)
	var made struct{ Token string }
	must.Succeed(t, json.Unmarshal(out, &made))
	s.token = made.Token
	ended := map[string]int{}
	for i := range rounds {
		log := fmt.Sprintf("log%d.txt", i)
		must.Succeed(t, os.WriteFile(filepath.Join(documents, log), []byte("begin\n"), 0o600))
		s.start()
		var created struct {
			JobID string `json:"job_id"`
		}
		goal := fmt.Sprintf(`create folders A%d, B%d, C%d and D%d in documents, then append \"hello\" to %s in documents`, i, i, i, i, log)
		s.ask("POST", "/jobs/create", `{"session_id":"s","job_type":"goal_run","input_data":{"goal":"`+goal+`"}}`, &created)
		waitAWhile(time.Duration(rand.IntN(400)) * time.Millisecond)
		if s.end(syscall.SIGKILL) == nil {
			t.Fatal("the server ended by itself")
		}
		s.start()
		var j struct {
			Status string
			Answer string
			Error  any
		}
		poll.Await(t, "the job after the kill", func() bool {
			s.ask("GET", "/jobs/"+created.JobID, "", &j)
			return j.Status == "done" || j.Status == "failed" || j.Status == "cancelled" || j.Status == "waiting"
		})
		ended[j.Status]++
		var folders int
		for _, name := range []string{"A", "B", "C", "D"} {
			if _, err := os.Stat(filepath.Join(documents, fmt.Sprint(name, i))); err == nil {
				folders++
			}
		}
		text := string(must.ReadFile(t, filepath.Join(documents, log)))
		hellos := strings.Count(text, "hello")
		switch {
		case hellos > 1:
			t.Errorf("an effect happened %d times: %q", hellos, text)
		case j.Status == "done" && (folders != 4 || hellos != 1):
			t.Errorf("the job is done with %d folders and the text %q", folders, text)
		case j.Status == "failed" || j.Status == "cancelled":
			t.Errorf("the job is %s: %v", j.Status, j.Error)
		}
		if err := s.end(os.Interrupt); err != nil {
			t.Errorf("the end of the server: %v", err)
		}
	}
	t.Logf("jobs that ended: %v; a job waits if nobody can tell whether a call had its effect", ended)
	if ended["done"] == 0 {
		t.Error("no job was done")
	}
}

// waitAWhile lets a job run for a random time, so that each kill finds it elsewhere.
func waitAWhile(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	<-timer.C
}
