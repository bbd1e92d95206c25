//go:build unix

package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/doctor"
	"errand/app/runs"
	"errand/build/must"
	"errand/planner/plan"
)

// TestBrowserInGrantedFolder checks that a browser which tools may change is not started, although
// it comes first in PATH, and that the doctor says so.
func TestBrowserInGrantedFolder(t *testing.T) {
	root := t.TempDir()
	bin := filepath.Join(root, "bin")
	must.Succeed(t, os.MkdirAll(bin, 0o700))
	began := filepath.Join(root, "began")
	for _, name := range []string{"chromium", "xdg-open", "gedit"} {
		must.Succeed(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho $0 >> "+began+"\nexit 1\n"), 0o700))
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	a, _ := opened(t, Options{Demo: true}, `ERRAND_FILES_ROOTS=["`+root+`"]`)
	if strings.Contains(os.Getenv("PATH"), bin) {
		t.Errorf("PATH still has the folder: %s", os.Getenv("PATH"))
	}
	for _, words := range []string{"open youtube", "open gedit"} {
		if _, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: words}); err != nil {
			t.Errorf("%s: %v", words, err)
		}
	}
	if ran, err := os.ReadFile(began); err == nil {
		t.Errorf("started: %s", ran)
	}
	found := false
	for _, c := range a.Doctor().Check(t.Context()) {
		found = found || c.Status == doctor.Warn && strings.Contains(c.Detail.String(), bin)
	}
	if !found {
		t.Error("the doctor does not name the folder")
	}
}
