package author

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"errand/app/config"
	"errand/app/plugins"
	"errand/build/must"
	"errand/host/tool"
)

// TestReportEnds: an inspection that is interrupted is an error, and not a finding about
// the module.
func TestReportEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.wasm")
	must.Succeed(t, os.WriteFile(file, []byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x07\x06\x01\x02go\x00\x00\x0a\x04\x01\x02\x00\x0b"), 0o600))
	l, err := config.Load(config.Options{Env: []string{"HOME=" + t.TempDir()}})
	must.Succeed(t, err)
	k := &Kit{Set: plugins.New(plugins.Options{Config: l})}
	if _, err := k.Report(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.Report(ctx, file); tool.AsError(err) == nil || tool.AsError(err).Code != "interrupted" {
		t.Errorf("%v, want interrupted", err)
	}
}
