package kit

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"errand/planner/message"
)

// nodePackages runs npm to install the packages of package.json if they are not
// installed. npm deletes node_modules first and writes its own lock file there
// last. A folder without that file, or with another lock file, is incomplete.
func (j job) nodePackages(ctx context.Context, l Lang, program string) error {
	why := j.fetchReason(program)
	if why == "" {
		return nil
	}
	npm := j.find("npm")
	if npm == "" {
		if j.hasFile(program) {
			return nil // installed by other means; a missing package is reported later
		}
		return missingError(l, message.New("kit.no_npm"))
	}
	fetch, from := "install", "package.json"
	if j.hasFile("package-lock.json") {
		fetch, from = "ci", "package-lock.json"
	}
	j.note(message.New(why, "file", from, "command", fetch))
	return j.run(ctx, j.folder, nil, npm, fetch, "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved")
}

// fetchReason returns the code of why npm must run, or "".
func (j job) fetchReason(program string) string {
	if !j.hasFile(program) {
		return "kit.fetch_compiler"
	}
	there, err := readNodeLock(filepath.Join(j.folder, "node_modules", ".package-lock.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist) && (j.hasFile("node_modules/.modules.yaml") || j.hasFile("node_modules/.yarn-integrity") || j.hasFile("node_modules/.yarn-state.yml")):
		return "" // made by another package manager, which checks it itself
	case err != nil:
		return "kit.fetch_rest"
	}
	wanted, err := readNodeLock(filepath.Join(j.folder, "package-lock.json"))
	if err != nil { // no valid lock file to compare with; npm reports its errors
		return ""
	}
	for place, want := range wanted.Packages {
		if place == "" || want.Optional || want.Link { // the plugin itself; for other machines; a folder of its own
			continue
		}
		got, ok := there.Packages[place]
		if !ok || got.Version != want.Version || got.Integrity != "" && want.Integrity != "" && got.Integrity != want.Integrity || !j.hasFile(place) {
			return "kit.fetch_other_versions"
		}
	}
	return ""
}

// nodeLock is npm's list of packages, in package-lock.json and, for installed
// ones, in node_modules/.package-lock.json. It has each package's folder and
// version.
type nodeLock struct {
	Packages map[string]struct {
		Version, Integrity string
		Optional, Link     bool
	}
}

func readNodeLock(name string) (lock nodeLock, err error) {
	b, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(b, &lock)
	}
	return lock, err
}

// hasFile reports whether the plugin's folder has a file or folder.
func (j job) hasFile(name string) bool {
	_, err := os.Stat(filepath.Join(j.folder, filepath.FromSlash(name)))
	return err == nil
}
