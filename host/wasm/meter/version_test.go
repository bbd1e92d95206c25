package meter_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"errand/host/wasm/meter"
)

// TestVersion checks that rewriting gives the same module as long as the version is the same,
// because caches depend on it. If you change the rewriting, raise the version and enter the
// digest that this test reports.
func TestVersion(t *testing.T) {
	const version, want = "3", "49f92f0308fe4d369778d8cf98961429515b023884a016b95baa7353dd526525"
	sum := sha256.New()
	for seed := range uint64(50) {
		m := metered(t, generate(choicesOf(seed)), meter.Options{})
		sum.Write(m.Code)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); meter.Version != version || got != want {
		t.Errorf("version %s makes %s, want %s of version %s", meter.Version, got, want, version)
	}
}
