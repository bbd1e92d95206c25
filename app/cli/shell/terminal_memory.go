package shell

import (
	"os"
	"path/filepath"
	"time"

	"errand/app/drafts"
	"errand/host/atomicfile"
)

// seenFor is how long the shown drafts of a terminal are remembered. Every draft expires earlier.
const seenFor = 24 * time.Hour

// seenFile returns the file with the revision of a draft that this terminal showed last, or the
// empty file for a run that it showed. It returns "" without a terminal or a folder. There is one
// file for each terminal and id, so that two commands in one terminal don't overwrite each
// other's.
func (s *Shell) seenFile(id string) string {
	if s.TerminalID == "" || id == "" {
		return ""
	}
	var state string
	if s.app != nil {
		state = s.app.Config().Paths.State
	} else if loaded, err := s.Load(); err == nil {
		state = loaded.Paths.State
	}
	if state == "" {
		return ""
	}
	return filepath.Join(state, "seen", s.TerminalID+"_"+filepath.Base(id))
}

// SeenRevision returns the revision of a draft that an approval in this terminal is for: the one
// that the terminal showed last. A draft that was not shown here is approved as it was proposed.
func (s *Shell) SeenRevision(d drafts.View) string {
	if file := s.seenFile(d.DraftID); file != "" {
		if b, err := os.ReadFile(file); err == nil {
			return string(b)
		}
	}
	return d.ProposedRevision()
}

// hasShown reports whether this terminal showed a run, or a draft in any revision.
func (s *Shell) hasShown(id string) bool {
	file := s.seenFile(id)
	if file == "" {
		return false
	}
	_, err := os.Stat(file)
	return err == nil
}

// rememberDraft stores that the terminal shows a revision of a draft. An approval asks
// again if that can't be stored.
func (s *Shell) rememberDraft(d drafts.View) {
	if !d.State.Final() {
		s.remember(d.DraftID, d.Revision)
	}
}

// rememberRun stores that the terminal shows a run.
func (s *Shell) rememberRun(id string) { s.remember(id, "") }

func (s *Shell) remember(id, revision string) {
	file := s.seenFile(id)
	if file == "" {
		return
	}
	dir := filepath.Dir(file)
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	forgetSeen(dir, time.Now().Add(-seenFor))
	_ = atomicfile.Write(file, []byte(revision), 0o600)
}

// forgetSeen forgets what was shown before a time.
func forgetSeen(dir string, before time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
