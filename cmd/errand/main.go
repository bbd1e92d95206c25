// Command errand carries out goals from the command line.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"errand/app/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Main(ctx, cli.Process())
	stop()
	os.Exit(code)
}
