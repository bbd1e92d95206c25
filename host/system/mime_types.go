package system

import (
	"bufio"
	_ "embed"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/realpath"
)

// runnableTypeData lists the media types whose files a desktop runs, one a line.
//
//go:embed runnable_types.txt
var runnableTypeData string

// maxTypeData is how many bytes of one file of the desktop's database are read.
const maxTypeData = 4 << 20

// hasRunnableType reports whether the desktop's database of media types (shared-mime-info) in
// one of the data folders gives a file's name a type that runs, or a kind of such a type.
// Several entries may fit a name; one is enough, whatever its weight.
func hasRunnableType(folders []string, name string) bool {
	found := map[string]bool{}
	kinds := map[string][]string{} // of a type, those that it is one of
	for _, folder := range folders {
		database := filepath.Join(folder, "mime")
		readLines(filepath.Join(database, "globs2"), func(line string) {
			weight := strings.SplitN(line, ":", 4) // weight:type:pattern:flags
			if len(weight) < 3 || found[weight[1]] {
				return
			}
			if ok, _ := path.Match(strings.ToLower(weight[2]), strings.ToLower(name)); ok {
				found[weight[1]] = true
			}
		})
		for _, file := range []string{"subclasses", "aliases"} {
			readLines(filepath.Join(database, file), func(line string) {
				if of, kind, ok := strings.Cut(line, " "); ok {
					kinds[of] = append(kinds[of], kind)
				}
			})
		}
	}
	runnable := strings.Fields(runnableTypeData)
	for next := found; len(next) > 0; {
		more := map[string]bool{}
		for t := range next {
			if slices.Contains(runnable, t) {
				return true
			}
			for _, kind := range kinds[t] {
				if !found[kind] {
					more[kind] = true
				}
			}
		}
		for t := range more {
			found[t] = true
		}
		next = more
	}
	return false
}

// readLines calls f with each line of a file that is not a comment. It ignores what can't be
// read.
func readLines(file string, f func(line string)) {
	in, err := os.OpenFile(file, os.O_RDONLY|realpath.NonBlock, 0)
	if err != nil {
		return
	}
	defer in.Close()
	for s := bufio.NewScanner(io.LimitReader(in, maxTypeData)); s.Scan(); {
		if line := s.Text(); !strings.HasPrefix(line, "#") {
			f(line)
		}
	}
}

// dataFolders returns the desktop's data folders, as the XDG base directory specification
// says.
func dataFolders() []string {
	own := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(own) {
		own = ""
		if home, err := os.UserHomeDir(); err == nil {
			own = filepath.Join(home, ".local", "share")
		}
	}
	shared := os.Getenv("XDG_DATA_DIRS")
	if shared == "" {
		shared = "/usr/local/share:/usr/share"
	}
	out := append([]string{own}, strings.Split(shared, ":")...)
	return slices.DeleteFunc(out, func(s string) bool { return !filepath.IsAbs(s) })
}
