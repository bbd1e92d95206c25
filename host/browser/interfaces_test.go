package browser_test

import (
	"testing"

	"errand/host/browser/page"
)

// TestNoBrowserMadeRequests checks that pages lack the interfaces that make the browser itself
// send requests, which interception does not see.
func TestNoBrowserMadeRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.https("a.example", html(`<script>
		const names = ["BackgroundFetchManager", "ContentIndex", "DigitalCredential", "HTMLFencedFrameElement", "IdentityCredential",
			"PaymentManager", "PaymentRequest", "PeriodicSyncManager", "PublicKeyCredential", "PushManager", "SharedStorage", "fetchLater"]
		const methods = ["install", "joinAdInterestGroup", "runAdAuction"]
		document.title = [...names.filter(n => n in window), ...methods.filter(n => n in navigator), isSecureContext ? "" : "insecure"].join(" ")
	</script>`))
	p, err := w.launch(func(o *page.Options) { o.Decide = allowHosts("a.example") }).Open(t.Context(), "https://a.example/")
	if err != nil || p.Title != "" {
		t.Errorf("the page has %q, %v", p.Title, err)
	}
}
