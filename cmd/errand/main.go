// Command errand runs goals from the command line.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"errand/app/cli"
	"errand/frontend"
)

func main() {
	livesLong := slices.Contains(os.Args, "serve") || slices.Contains(os.Args, "agentd")
	if os.Getenv("GOGC") == "" && !livesLong {
		// Most commands are over before a collection could pay: the first one comes at
		// 16 MB instead of 4.
		debug.SetGCPercent(400)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	process := cli.Process()
	process.Page = frontend.Page()
	code := cli.Main(ctx, process)
	stop()
	os.Exit(code)
}
