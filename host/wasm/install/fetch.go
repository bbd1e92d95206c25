package install

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/planner/message"
	"errand/policy"
)

// fetchTime limits a download.
const fetchTime = 2 * time.Minute

// wholeURL returns the hint for a place that is not the URL of an archive.
func wholeURL() message.Message { return message.New("install.give_whole_url") }

// readURL downloads an archive. It requires a digest, because otherwise the server
// or the network could substitute the plugin.
func readURL(ctx context.Context, o Origin) (Bundle, error) {
	u, err := url.Parse(o.Place)
	switch {
	case err != nil || u.Host == "":
		return Bundle{}, refusedError("bad_url", message.New("install.bad_url", "place", o.Place)).WithHint(wholeURL())
	case u.Scheme != "https":
		return Bundle{}, refusedError("bad_url", message.New("install.not_https", "scheme", u.Scheme)).WithHint(wholeURL())
	case u.User != nil:
		return Bundle{}, refusedError("bad_url", message.New("install.url_with_password")).
			WithHint(message.New("install.fetch_yourself"))
	case o.SHA256 == "":
		return Bundle{}, refusedError("no_digest", message.New("install.no_digest")).
			WithHint(message.New("install.give_sha256"))
	case o.Client == nil:
		return Bundle{}, refusedError("no_network", message.New("install.no_network", "place", o.Place))
	}
	content, err := fetch(ctx, o.Client, o.Place)
	if err != nil {
		return Bundle{}, err
	}
	if err := checkDigest(o.Place, o.SHA256, content); err != nil {
		return Bundle{}, err
	}
	if kindOf(content) != kindModule {
		return readArchive(o.Place, content)
	}
	b, err := describeModule(ctx, o, u.Path, content)
	if err != nil {
		return Bundle{}, err
	}
	if b == nil {
		return Bundle{}, refusedError("no_manifest", message.New("install.url_of_module", "place", o.Place)).
			WithHint(message.New("install.give_archive", "file", manifest.File))
	}
	b.Source = o.Place
	return *b, nil
}

func fetch(ctx context.Context, c *http.Client, place string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, place, nil)
	if err != nil {
		return nil, refusedError("bad_url", message.FromError(err)).WithHint(wholeURL())
	}
	req.Header.Set("Accept-Encoding", "identity") // the digest is of the file as it lies there
	resp, err := c.Do(req)
	if err != nil {
		return nil, fetchError(place, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fetchError(place, message.Error("install.server_answers", "status", resp.Status))
	}
	content, err := boundedReader(resp.Body, place, MaxArchive)
	if err != nil {
		return nil, fetchError(place, err)
	}
	return content, nil
}

// fetchError distinguishes a denial by policy from other download errors.
func fetchError(place string, err error) error {
	var denied interface{ Refusal() policy.Decision } // the client's [guard.DeniedError]
	if errors.As(err, &denied) {
		d := denied.Refusal()
		e := tool.NewError(tool.PolicyDenied, d.Rule, message.New("install.fetch_denied", "place", place, "reason", d.Reason))
		if !policy.CanGrant(d) && !d.Hint.IsZero() { // no list of hosts would help
			return e.WithHint(d.Hint)
		}
		return e.WithHint(message.New("install.allow_host", "pattern", d.Hint.Params["pattern"]))
	}
	return tool.UnavailableError("fetch_failed", message.New("install.fetch_failed", "place", place, "cause", err)).
		WithHint(message.New("install.check_address"))
}
