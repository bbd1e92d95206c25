//go:build window

package shell

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// How long after a bare window's document the goal field may be usable.
const (
	startRounds = 5
	startMargin = 500 * time.Millisecond
	startShare  = 1.2 // of a bare window's time
)

// TestWindowStartsAboutAsFastAsABareOne compares two programs from their start on,
// turn by turn, so that what else the machine does falls on both: the
// toolkit's smallest window until its document is ready, and Errand's until its
// goal field has the focus and the program behind it has answered.
func TestWindowStartsAboutAsFastAsABareOne(t *testing.T) {
	bare := filepath.Join(t.TempDir(), "bare")
	build := exec.Command("go", "build", "-tags", "desktop,production,webkit2_41", "-ldflags", "-s -w", "-o", bare, "./testdata/bare")
	build.Env = append(build.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	d := newDisplay(t)
	home := t.TempDir() // one for all: the first start makes folders
	var bares, documents, fields []time.Duration
	for range 1 + startRounds {
		began := time.Now()
		w := openProgram(t, d, home, bare)
		w.await(`document ready`)
		bares = append(bares, time.Since(began))
		w.gone()

		began = time.Now()
		w = openProgram(t, d, home, program)
		w.await(`window ready`)
		documents = append(documents, time.Since(began))
		w.await(`page usable`)
		fields = append(fields, time.Since(began))
		w.press("ctrl+q")
		w.gone()
	}
	document, own, field := median(bares[1:]), median(documents[1:]), median(fields[1:]) // the first round warms the disk's cache
	most := time.Duration(startShare*float64(document)) + startMargin
	t.Logf("from the start of the program, median of %d: a bare window's document is ready after %v, Errand's after %v, its goal field is usable after %v (at most %v)",
		startRounds, document.Round(time.Millisecond), own.Round(time.Millisecond), field.Round(time.Millisecond), most.Round(time.Millisecond))
	if field > most {
		t.Errorf("the goal field is usable %v after a bare window's document", field-document)
	}
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
