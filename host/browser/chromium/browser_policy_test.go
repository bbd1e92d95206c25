package chromium_test

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
	"errand/host/browser/chromium"
	"errand/host/tool"
)

// TestManagedPolicies checks which policies of which browser keep it from being started,
// and that the error names them with their file.
func TestManagedPolicies(t *testing.T) {
	const own, chrome = "etc/chromium/policies/managed", "etc/opt/chrome/policies/managed"
	for _, tt := range []struct {
		name, bin, folder, text string
		want                    []string
	}{
		{"proxy mode", "chromium", own, `{"ProxyMode": "direct"}`, []string{"ProxyMode"}},
		{"of the system", "chromium", own, `{"ProxyMode": "system"}`, []string{"ProxyMode"}},
		{"settings", "chromium", own, `{"ProxySettings": {"ProxyMode": "fixed_servers", "ProxyServer": "10.0.0.1:3128"}}`, []string{"ProxySettings"}},
		{"several", "chromium", own, `{"ProxyServer": "a:1", "HomepageLocation": "https://a.example", "ProxyPacUrl": "http://a/"}`, []string{"ProxyPacUrl", "ProxyServer"}},
		{"WebRTC", "chromium", own, `{"WebRtcIPHandling": "default"}`, []string{"WebRtcIPHandling"}},
		{"WebRTC, as strict", "chromium", own, `{"WebRtcIPHandling": "disable_non_proxied_udp"}`, nil},
		{"profile", "chromium", own, `{"UserDataDir": "/home/ann/.config/chromium"}`, []string{"UserDataDir"}},
		{"no debugging", "chromium", own, `{"RemoteDebuggingAllowed": false}`, []string{"RemoteDebuggingAllowed"}},
		{"debugging", "chromium", own, `{"RemoteDebuggingAllowed": true, "HeadlessMode": 1}`, nil},
		{"others", "chromium", own, `{"HomepageLocation": "https://a.example", "PasswordManagerEnabled": false}`, nil},
		{"Ubuntu", "chromium-browser", "etc/chromium-browser/policies/managed", `{"ProxyMode": "direct"}`, []string{"ProxyMode"}},
		{"Chrome", "google-chrome-stable", chrome, `{"ProxyMode": "direct"}`, []string{"ProxyMode"}},
		{"Edge", "microsoft-edge", "etc/opt/edge/policies/managed", `{"ProxyMode": "direct"}`, []string{"ProxyMode"}},
		{"another browser's", "chromium", chrome, `{"ProxyMode": "direct"}`, nil},
		{"recommended", "chromium", "etc/chromium/policies/recommended", `{"ProxyMode": "direct"}`, nil},
		{"broken", "chromium", own, `{"ProxyMode": `, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			file := filepath.Join(root, tt.folder, "company.json")
			must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o755))
			must.Succeed(t, os.WriteFile(file, []byte(tt.text), 0o600))
			bin := filepath.Join(root, tt.bin)
			must.Succeed(t, os.WriteFile(bin, []byte("#!/bin/sh\nexit 1\n"), 0o700))
			defer chromium.SetPolicyRoot(root)()
			fault := chromium.CheckManaged(bin)
			if (fault != nil) != (tt.want != nil) {
				t.Fatalf("%v, want %v", fault, tt.want)
			}
			if fault == nil {
				return
			}
			if got, _ := fault.Message.Params["policies"].([]any); len(got) != len(tt.want) || got[0] != tt.want[0] {
				t.Errorf("policies %v, want %v", got, tt.want)
			}
			if fault.Message.Params["file"] != file || fault.Code != "browser_managed" || fault.Hint.IsZero() {
				t.Errorf("error %+v", fault)
			}
			_, err := chromium.Start(chromium.Options{Bin: bin, Dir: t.TempDir(), Proxy: chromium.Proxy{Addr: netip.MustParseAddrPort("127.0.0.1:1")}})
			var e *tool.Error
			if !errors.As(err, &e) || e.Code != "browser_managed" {
				t.Errorf("Start = %v", err)
			}
		})
	}
}
