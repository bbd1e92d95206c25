package kit

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"errand/planner/message"
)

// assemblyscript uses the compiler version that package.json pins. If it is
// missing, npm installs it.
func (j job) assemblyscript(ctx context.Context) (toolchain, error) {
	node := j.find("node")
	if node == "" {
		return toolchain{}, missingError(AssemblyScript, message.New("kit.no_node"))
	}
	const compiler = "node_modules/assemblyscript/bin/asc.js"
	if err := j.nodePackages(ctx, AssemblyScript, compiler); err != nil {
		return toolchain{}, err
	}
	asc := filepath.Join(j.folder, filepath.FromSlash(compiler))
	return toolchain{"AssemblyScript " + strings.TrimPrefix(j.ask(ctx, node, asc, "--version"), "Version "), func(ctx context.Context, j job) error {
		entry := filepath.Join("assembly", "index.ts")
		// Only --debug keeps the names of functions; its other effects are
		// harmless.
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
