//go:build linux

package app

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/tool"
)

func TestOpenFolder(t *testing.T) {
	bin, dir := t.TempDir(), filepath.Join(t.TempDir(), "of Ann & Bob")
	told := filepath.Join(bin, "told")
	script := "#!/bin/sh\nprintf '%s' \"$1\" > " + told + ".new\nmv " + told + ".new " + told + "\n"
	must.Succeed(t, os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	code := func(err error) string {
		if err == nil {
			return ""
		}
		return tool.AsError(err).Code
	}
	if got := code(OpenFolder(t.Context(), dir)); got != "no_folder" {
		t.Errorf("a folder that is not there: %q", got)
	}
	must.Succeed(t, os.Mkdir(dir, 0o700))
	must.Succeed(t, OpenFolder(t.Context(), dir))
	var b []byte
	var err error
	poll.WaitUntil(func() bool { // it exists before it has been written
		b, err = os.ReadFile(told)
		return len(b) > 0
	})
	if u, parsed := url.Parse(string(b)); err != nil || parsed != nil || u.Scheme != "file" || u.Path != dir {
		t.Errorf("it was told %q: %v, %v", b, err, parsed)
	}
	t.Setenv("PATH", bin+"/none")
	if got := code(OpenFolder(t.Context(), dir)); got != "no_file_manager" {
		t.Errorf("without a file manager: %q", got)
	}
}
