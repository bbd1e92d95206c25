package app

import (
	"slices"
	"strings"
	"testing"

	"errand/app/config"
	"errand/policy"
	"errand/policy/redact"
)

// TestSeedPolicy are the acceptance lines about what may be reached and what is
// taken out of texts, as every face asks it.
func TestSeedPolicy(t *testing.T) {
	a, _ := opened(t, Options{})
	denied := func(t *testing.T, c policy.Check) {
		t.Helper()
		if got := a.Policy().CheckLine(c); got.Verdict == policy.Allow.String() {
			t.Errorf("%s is allowed by %s", c.URL, got.Rule)
		}
	}
	t.Run("S3-H03 a bare pattern is that host alone", func(t *testing.T) {
		for _, raw := range []string{
			"https://evilexample.com", "https://example.com.evil.io", "https://example.com@evil.io", "https://EXAMPLE.com.",
			"https://sub.example.com", "https://xn--exmple-4nf.com", "https://ex\u0430mple.com",
		} {
			denied(t, policy.Check{URL: raw, Allow: []string{"example.com"}})
		}
		if got := a.Policy().CheckLine(policy.Check{URL: "https://example.com/", Allow: []string{"example.com"}}); got.Verdict != policy.Allow.String() {
			t.Errorf("the host itself: %+v", got)
		}
	})
	t.Run("S3-H04 private addresses in every spelling", func(t *testing.T) {
		for _, raw := range []string{
			"http://127.0.0.1", "http://2130706433", "http://0x7f.1", "http://017700000001", "http://[::1]",
			"http://[::ffff:127.0.0.1]", "http://[64:ff9b::7f00:1]", "http://0.0.0.0", "http://169.254.169.254",
			"http://100.64.0.1", "http://198.18.0.1", "http://[fe80::1%25eth0]", "http://localhost.", "http://a.localhost",
		} {
			denied(t, policy.Check{URL: raw, Floor: true})
		}
	})
	t.Run("S3-H25 the whole of a private key", func(t *testing.T) {
		body := strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n", 12)
		got := redact.New(nil).Text("before\n-----BEGIN PRIVATE KEY-----\n" + body + "-----END PRIVATE KEY-----\nafter")
		if strings.Contains(got, "MIIEvQ") || !strings.Contains(got, "before") || !strings.Contains(got, "after") {
			t.Errorf("left %q", got)
		}
	})
	t.Run("S3-H27 an innocent text", func(t *testing.T) {
		if text := "the token economy is growing"; redact.New(nil).Text(text) != text {
			t.Errorf("changed to %q", redact.New(nil).Text(text))
		}
	})
	t.Run("S3-T14 limits that end nothing", func(t *testing.T) {
		for _, value := range []string{"0", "-1"} {
			_, err := config.Load(config.Options{Env: []string{"HOME=" + t.TempDir(), "ERRAND_AGENT_INTERNAL_MAX_STEPS=" + value}})
			if err == nil || !strings.Contains(err.Error(), "agent.internal.max_steps") {
				t.Errorf("max_steps = %s: %v", value, err)
			}
		}
	})
	t.Run("X-11 a denied URL is explained", func(t *testing.T) {
		c, err := a.Policy().CheckURL(t.Context(), "http://127.0.0.1/")
		if err != nil || c.Verdict != policy.Deny || c.Rule == "" || c.Reason.IsZero() || len(c.Steps) == 0 {
			t.Errorf("%+v, %v", c, err)
		}
		if !slices.ContainsFunc(c.Steps, func(s policy.Step) bool { return s.Rule == c.Rule }) {
			t.Errorf("no step says %s: %+v", c.Rule, c.Steps)
		}
	})
}
