package schedule

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"errand/host/atomicfile"
)

// EntryName is the name of the entry by which the desktop starts the resident process at login.
const EntryName = "errand-timers.desktop"

// Autostart writes and removes the entry by which the desktop starts the resident process at login.
// Errand has it only while something is due later.
type Autostart struct {
	Folder  string   // autostart in the user's folder for settings; empty: there is none
	Command []string // of the resident process
}

// Set writes the entry, or removes it. It does nothing if that is so already.
func (a Autostart) Set(wanted bool) error {
	if a.Folder == "" || len(a.Command) == 0 || !filepath.IsAbs(a.Command[0]) {
		return nil
	}
	file := filepath.Join(a.Folder, EntryName)
	if !wanted {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	entry := a.entry()
	if now, err := os.ReadFile(file); err == nil && bytes.Equal(now, entry) {
		return nil
	}
	if err := os.MkdirAll(a.Folder, 0o700); err != nil {
		return err
	}
	return atomicfile.Write(file, entry, 0o600)
}

// entry is the file in the format of the Desktop Application Autostart Specification.
func (a Autostart) entry() []byte {
	words := make([]string, len(a.Command))
	for i, w := range a.Command {
		words[i] = quoteExec(w)
	}
	return []byte("[Desktop Entry]\nType=Application\nName=Errand\nNoDisplay=true\nExec=" + strings.Join(words, " ") + "\n")
}

// quoteExec writes a word of a command. The value is a string with escapes of its own, so that a
// backslash is four, and a line end in a path does not begin a key.
func quoteExec(word string) string {
	quoted := strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", `$`, `\\$`, `%`, `%%`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(word)
	return `"` + quoted + `"`
}
