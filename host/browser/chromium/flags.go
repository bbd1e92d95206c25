package chromium

import (
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The size of a page in CSS pixels, and of screenshots.
const (
	viewWidth  = 1280
	viewHeight = 800
)

// The folder of the crash handler's files, in the scratch folder.
const (
	crashesFlag = "--crash-dumps-dir="
	crashesName = "crashes"
	cacheName   = "cache"
)

const discardURL = "http://127.0.0.1:9/"

// disabledFeatures make requests on their own, or load pages and names before interception
// sees them.
var disabledFeatures = []string{
	"AutofillServerCommunication", "CertificateTransparencyComponentUpdater", "DestroyProfileOnBrowserClose",
	"DialMediaRouteProvider", "GlobalMediaControls", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades",
	"InterestFeedContentSuggestions", "LensOverlay", "MediaRouter", "NetworkErrorLogging", "NetworkTimeServiceQuerying", "NavigationPredictor", "OptimizationHints",
	"PaintHolding", "PreconnectToSearch", "Prerender2", "Reporting", "SpeculationRulesPrefetchFuture", "Translate",
	"WebOTP",
}

// disabledInterfaces let a page make the browser itself send requests, which interception
// does not see.
var disabledInterfaces = []string{
	"AdInterestGroupAPI", "AttributionReporting", "BackgroundFetch", "CompressionDictionaryTransport",
	"ContentIndex", "DeviceBoundSessionCredentials", "DigitalGoods", "FedCm", "FencedFrames", "FetchLaterAPI", "Fledge", "PaymentApp",
	"PaymentRequest", "PeriodicBackgroundSync", "PrivateStateTokens", "PushMessaging", "SecurePaymentConfirmation",
	"SharedStorageAPI", "WebAppInstallation", "WebAuth", "WebIdentityDigitalCredentials", "WebPayments", "WebTransport",
}

// commandLine returns the command line of the browser. It is listed in full, because the
// defaults of rod's launcher disable site isolation and the popup blocker.
//
// The proxy's bypass list needs "<-loopback>": without it Chromium connects to localhost,
// 127.0.0.0/8, [::1] and 169.254.0.0/16 directly (Chromium, net/docs/proxy.md, "Implicit
// bypass rules").
func commandLine(profile, scratch string, o Options) []string {
	args := []string{
		"--remote-debugging-pipe",
		"--user-data-dir=" + profile,
		crashesFlag + filepath.Join(scratch, crashesName),       // also identifies the crash handler, which is forked before it has its own arguments
		"--disk-cache-dir=" + filepath.Join(scratch, cacheName), // its keys are URLs, including the values of GET forms
		"--no-first-run", "--no-default-browser-check", "--no-service-autorun", "--no-startup-window",
		"--window-size=" + strconv.Itoa(viewWidth) + "," + strconv.Itoa(viewHeight),

		// The network: only through the proxy.
		"--proxy-server=" + o.Proxy.rules(),
		"--proxy-bypass-list=<-loopback>",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE " + formatHost(o.Proxy.Addr.Addr()),
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--disable-quic",
		"--dns-prefetch-disable",
		"--no-pings",

		// Disable requests that the browser makes on its own. Those without a switch are
		// redirected to the discard port, which Chromium itself refuses to open.
		"--disable-background-networking", "--disable-component-update", "--disable-domain-reliability",
		"--component-updater=url-source=" + discardURL, "--gaia-url=" + discardURL, "--allow-browser-signin=false",
		"--disable-client-side-phishing-detection", "--disable-field-trial-config", "--disable-sync",
		"--disable-default-apps", "--disable-extensions", "--disable-component-extensions-with-background-pages",
		"--disable-search-engine-choice-screen", "--metrics-recording-only", "--no-report-upload",
		"--disable-breakpad",
		"--disable-features=" + strings.Join(slices.Concat(disabledFeatures, disabledInterfaces), ","),
		"--enable-features=StorageQuotaSettings:PoolSizeBytes/" + strconv.Itoa(storagePool),
		"--disable-blink-features=" + strings.Join(disabledInterfaces, ","),

		// Pages are untrusted: they get no prompts, no keyring and no history.
		"--deny-permission-prompts", "--password-store=basic", "--use-mock-keychain",
		"--disable-back-forward-cache", "--disable-save-password-bubble", "--disable-prompt-on-repost",
		"--disable-infobars", "--hide-crash-restore-bubble",

		// A background page works like a visible one.
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
		"--disable-renderer-backgrounding", "--disable-hang-monitor",
	}
	if !o.Show {
		args = append(args, "--headless=new", "--hide-scrollbars", "--force-color-profile=srgb", "--mute-audio")
	}
	if len(o.TrustSPKI) > 0 {
		args = append(args, "--ignore-certificate-errors-spki-list="+strings.Join(o.TrustSPKI, ","))
	}
	if !HasSandbox() {
		args = append(args, "--no-sandbox")
	}
	return args
}

// HasSandbox reports whether the browser's own sandbox is enabled. As root, Chromium
// starts only without it; the record of the run says so.
func HasSandbox() bool { return os.Geteuid() != 0 }

// allowedEnvironment lists the environment variables that a browser gets. Others may
// contain keys or redirect its traffic.
var allowedEnvironment = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG", "LANGUAGE",
	"DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS",
	"FONTCONFIG_PATH", "FONTCONFIG_FILE", "LD_LIBRARY_PATH",
}

// environment makes the environment of a browser. The crash handler, which runs in a
// session of its own, keeps its files in the scratch folder, which tells it from that
// of the user's own browser. Temporary files get a folder of their own, so that a
// sweep can remove them. A headless browser does not read the desktop's settings: the
// reader leaves a file in the user's cache.
func environment(all []string, s *scratch, show bool) []string {
	env := []string{"BREAKPAD_DUMP_LOCATION=" + filepath.Join(s.path, crashesName), "TMPDIR=" + s.temporary}
	if !show {
		env = append(env, "GSETTINGS_BACKEND=memory")
	}
	for _, e := range all {
		name, _, _ := strings.Cut(e, "=")
		if slices.Contains(allowedEnvironment, name) || strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "LC_") {
			env = append(env, e)
		}
	}
	return env
}

func formatHost(a netip.Addr) string {
	if a.Is6() {
		return "[" + a.String() + "]"
	}
	return a.String()
}
