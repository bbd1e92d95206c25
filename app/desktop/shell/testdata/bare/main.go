// Bare is the smallest window that the toolkit makes: a page with a field. It
// says when its document is ready, and ends. What Errand's window takes longer
// is Errand's own.
package main

import (
	"context"
	"embed"
	"fmt"
	"os"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

//go:embed index.html
var page embed.FS

func main() {
	err := wails.Run(&options.App{
		Title: "Bare", Width: 1000, Height: 700,
		AssetServer: &assetserver.Options{Assets: page},
		OnDomReady: func(ctx context.Context) {
			fmt.Fprintln(os.Stderr, "document ready")
			runtime.Quit(ctx)
		},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
