package kit

import (
	"context"
	"path/filepath"
	"strings"

	"errand/planner/message"
)

// javascript runs the folder's build.mjs, which joins the sources and a JavaScript
// engine. package.json pins the engine and the programs for that; if they are missing,
// npm installs them.
func (j job) javascript(ctx context.Context) (toolchain, error) {
	node := j.find("node")
	if node == "" {
		return toolchain{}, missingError(JavaScript, message.New("kit.no_node"))
	}
	const bundler = "node_modules/esbuild/bin/esbuild"
	if err := j.nodePackages(ctx, JavaScript, bundler); err != nil {
		return toolchain{}, err
	}
	version := "esbuild " + strings.TrimSpace(j.ask(ctx, node, filepath.Join(j.folder, filepath.FromSlash(bundler)), "--version"))
	return toolchain{version, func(ctx context.Context, j job) error {
		return j.run(ctx, j.folder, nil, node, "build.mjs", j.out)
	}}, nil
}
