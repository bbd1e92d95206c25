package install

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/policy"
)

// fetchTime limits a download.
const fetchTime = 2 * time.Minute

const wholeURL = "give the whole URL of an archive, such as https://plugins.example.org/weather-1.2.0.tar.gz, or a file of this machine"

// readURL downloads an archive. It requires a digest, because otherwise the server
// or the network could substitute the plugin.
func readURL(ctx context.Context, o Origin) (Bundle, error) {
	u, err := url.Parse(o.Place)
	switch {
	case err != nil || u.Host == "":
		return Bundle{}, refused("bad_url", "%q is no URL", o.Place).WithHint("%s", wholeURL)
	case u.Scheme != "https":
		return Bundle{}, refused("bad_url", "plugins are fetched over https alone, not %s", u.Scheme).WithHint("%s", wholeURL)
	case u.User != nil:
		return Bundle{}, refused("bad_url", "a URL with a password in it would be written into the lock file").
			WithHint("fetch the file yourself, and install that")
	case o.SHA256 == "":
		return Bundle{}, refused("no_digest", "a plugin from the network needs its SHA-256").
			WithHint("give --sha256 DIGEST, from its author and not from where the file lies")
	case o.Client == nil:
		return Bundle{}, refused("no_network", "there is no client to fetch %s with", o.Place)
	}
	content, err := fetch(ctx, o.Client, o.Place)
	if err != nil {
		return Bundle{}, err
	}
	if err := held(o.Place, o.SHA256, content); err != nil {
		return Bundle{}, err
	}
	if kindOf(content) != kindModule {
		return unpacked(o.Place, content)
	}
	b, err := described(ctx, o, u.Path, content)
	if err != nil {
		return Bundle{}, err
	}
	if b == nil {
		return Bundle{}, refused("no_manifest", "%s is a module, and nothing says what its tools are", o.Place).
			WithHint("give an archive (.tar.gz or .zip) with the module and its %s", manifest.File)
	}
	b.Source = o.Place
	return *b, nil
}

func fetch(ctx context.Context, c *http.Client, place string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, place, nil)
	if err != nil {
		return nil, refused("bad_url", "%v", err).WithHint("%s", wholeURL)
	}
	req.Header.Set("Accept-Encoding", "identity") // the digest is of the file as it lies there
	resp, err := c.Do(req)
	if err != nil {
		return nil, unfetched(place, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, unfetched(place, fmt.Errorf("the server answers %s", resp.Status))
	}
	content, err := bounded(resp.Body, place, MaxArchive)
	if err != nil {
		return nil, unfetched(place, err)
	}
	return content, nil
}

// unfetched distinguishes a denial by policy from other download errors.
func unfetched(place string, err error) error {
	var denied interface{ Refusal() policy.Decision } // the client's [guard.DeniedError]
	if errors.As(err, &denied) {
		d := denied.Refusal()
		e := tool.Errorf(tool.PolicyDenied, d.Rule, "fetch %s: %s", place, d.Reason)
		if !policy.CanGrant(d) && d.Hint != "" { // no list of hosts would help
			return e.WithHint("%s", d.Hint)
		}
		return e.WithHint("allow the host for this command with --allow HOST, or for good in allowed_domains of [policy]")
	}
	return unavailable("fetch_failed", "fetch %s: %v", place, err).
		WithHint("look whether the address is right and the network there, or fetch the file yourself and install that")
}
