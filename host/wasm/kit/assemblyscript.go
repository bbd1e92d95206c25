package kit

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// assemblyscript uses the compiler that the folder's package.json pins, and has
// npm fetch it where it isn't there yet.
func (j job) assemblyscript(ctx context.Context) (toolchain, error) {
	node, npm := j.find("node"), j.find("npm")
	if node == "" {
		return toolchain{}, missing(AssemblyScript, "there is no node on the PATH")
	}
	asc := filepath.Join(j.folder, "node_modules", "assemblyscript", "bin", "asc.js")
	if _, err := os.Stat(asc); err != nil {
		if npm == "" {
			return toolchain{}, missing(AssemblyScript, "its compiler is not in node_modules, and there is no npm on the PATH to fetch it")
		}
		fetch := "install"
		if _, err := os.Stat(filepath.Join(j.folder, "package-lock.json")); err == nil {
			fetch = "ci"
		}
		if err := j.run(ctx, j.folder, nil, npm, fetch, "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved"); err != nil {
			return toolchain{}, err
		}
	}
	return toolchain{"AssemblyScript " + strings.TrimPrefix(j.ask(ctx, node, asc, "--version"), "Version "), func(ctx context.Context, j job) error {
		entry := filepath.Join("assembly", "index.ts")
		// --debug alone keeps the names of functions; what it does beyond that is
		// in the way of nobody.
		args := []string{asc, entry, "-o", j.out, "-O3", "--shrinkLevel", "1", "--debug"}
		if !j.library {
			args = append(args, "--exportStart", "_start")
		}
		if _, err := os.Stat(filepath.Join(j.folder, "asconfig.json")); err != nil {
			args = append(args, "--use", "abort=") // the host has none to import
		}
		return j.run(ctx, j.folder, nil, node, args...)
	}}, nil
}
