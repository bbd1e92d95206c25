package apiclient_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"errand/build/apiclient/testdata/client"
)

// program runs errand in an empty home folder.
func program(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	path := os.Getenv("ERRAND_BIN")
	if path == "" {
		t.Fatal("ERRAND_BIN is not set: run make test-api-client")
	}
	cmd := exec.Command(path, args...)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "USER=ann"}
	return cmd
}

// TestGeneratedClient runs a job with a client that is generated from the document.
func TestGeneratedClient(t *testing.T) {
	home := t.TempDir()
	var made struct{ Token string }
	out, err := program(t, home, "serve", "token", "add", "client", "--json").Output()
	if err != nil || json.Unmarshal(out, &made) != nil {
		t.Fatalf("%v %s", err, out)
	}
	server := program(t, home, "serve", "--api", "--json")
	var said bytes.Buffer
	server.Stderr = &said
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		if err := server.Wait(); err != nil {
			t.Errorf("the end of the server: %v\n%s", err, &said)
		}
	})
	var at struct{ API string }
	if err := json.NewDecoder(stdout).Decode(&at); err != nil {
		t.Fatalf("no address: %v\n%s", err, &said)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	base := at.API[:len(at.API)-len("/api")]
	c, err := client.NewClientWithResponses(base, client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+made.Token)
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	goal := "what time is it"
	created, err := c.CreateJobWithResponse(ctx, &client.CreateJobParams{}, client.NewJob{SessionId: "s", JobType: client.GoalRun, InputData: client.InputData{Goal: &goal}})
	if err != nil || created.JSON202 == nil {
		t.Fatalf("create: %v %s", err, created.Body)
	}
	id := created.JSON202.JobId
	if events, err := c.FollowJobWithResponse(ctx, id, &client.FollowJobParams{}); err != nil || !bytes.Contains(events.Body, []byte("event: end\n")) {
		t.Fatalf("events: %v", err)
	}
	job, err := c.GetJobWithResponse(ctx, id)
	if err != nil || job.JSON200 == nil || job.JSON200.Status != client.StatusDone || job.JSON200.Answer == nil || *job.JSON200.Answer == "" {
		t.Fatalf("get: %v %s", err, job.Body)
	}
	result, err := c.GetResultWithResponse(ctx, id)
	if err != nil || result.JSON200 == nil || len(result.JSON200.Steps) != 1 || result.JSON200.Steps[0].ToolName != "system.query" {
		t.Fatalf("result: %v %s", err, result.Body)
	}
	refused, err := c.CreateTaskWithResponse(ctx, &client.CreateTaskParams{}, client.Wraith{Prompt: &goal})
	if err != nil || refused.JSON409 == nil || refused.JSON409.Error.Code != "agent_disabled" {
		t.Fatalf("a task while the agent is off: %v %s", err, refused.Body)
	}
}
