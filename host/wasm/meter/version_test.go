package meter_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"errand/host/wasm/meter"
)

// TestVersion: caches are kept by the version, so what rewriting makes must not
// change without it. Where the change is meant, raise the version and put the
// digest that this test reports beside it.
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
