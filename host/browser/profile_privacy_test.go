//go:build unix

package browser_test

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"errand/build/must"
	"errand/build/tier"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
)

// typedFields are kinds of fields whose values browsers offer to remember: form history,
// addresses, cards, logins, searches.
var typedFields = []typedField{
	{"Nickname", `name="nick"`, "Zwiebelfisch77"},
	{"Code", `name="otp" autocomplete="one-time-code" inputmode="numeric"`, "84120957361"},
	{"Plain code", `name="pin"`, "95318642075"},
	{"Secret", `name="pw" type="password" autocomplete="current-password"`, "hunter-Qx27-zebra"},
	{"Login", `name="user" autocomplete="username"`, "ann.quokka"},
	{"Card number", `name="cc" autocomplete="cc-number"`, "4111111111111111"},
	{"Expiry", `name="exp" autocomplete="cc-exp"`, "11/2039"},
	{"Full name", `name="name" autocomplete="name"`, "Ann Quagmire"},
	{"Email", `name="email" type="email" autocomplete="email"`, "ann.quagmire@a.example"},
	{"Phone", `name="tel" type="tel" autocomplete="tel"`, "+493012345678"},
	{"Street", `name="street" autocomplete="street-address"`, "Quittengasse 17"},
	{"City", `name="city" autocomplete="address-level2"`, "Quedlinburg"},
	{"Postal code", `name="zip" autocomplete="postal-code"`, "06484"},
	{"Country", `name="country" autocomplete="country-name"`, "Germany"},
}

type typedField struct{ name, markup, value string }

const remembered = "what-the-page-itself-keeps"

func typedPage(method string) string {
	var form strings.Builder
	form.WriteString(`<title>typing</title><form action="/done" method="` + method + `">`)
	for _, f := range typedFields {
		form.WriteString(`<label>` + f.name + ` <input ` + f.markup + `></label><br>`)
	}
	form.WriteString(`<textarea aria-label="Letter" name="letter"></textarea><button>Send</button></form><script>localStorage.kept = "` + remembered + `"</script>`)
	return form.String()
}

// TestProfileKeepsNothingTyped checks that a named profile keeps what pages store themselves,
// such as logins, but no form values, addresses, cards, passwords or text that was typed into a
// page.
func TestProfileKeepsNothingTyped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mux := http.NewServeMux()
	mux.Handle("/post", html(typedPage("post")))
	mux.Handle("/get", html(typedPage("get")))
	mux.Handle("/done", html("<title>done</title><p>thanks</p>"))
	w.https("a.example", mux)
	profiles := chromium.Profiles{Dir: filepath.Join(t.TempDir(), "profiles")}
	forms := []string{"/post", "/get", "/post"}[:tier.Size(2, 3)]
	for range 2 {
		b := w.launch(func(o *page.Options) { o.Profile, o.Profiles = "work", profiles })
		h := newHands(t, b)
		for _, path := range forms {
			h.does("tab_new", `{"url": "https://a.example`+path+`"}`)
			for _, f := range typedFields {
				h.does("fill", `{"locator": {"label": `+quoted(f.name)+`, "exact": true}, "value": `+quoted(f.value)+`}`)
			}
			h.does("fill", `{"locator": {"label": "Letter"}, "value": "Dear Quetzalcoatl"}`)
			h.does("submit", `{"locator": {"role": "button", "name": "Send"}}`)
			h.says("thanks")
		}
		// The last page is not closed.
		h.does("tab_new", `{"url": "https://a.example/post"}`)
		for _, f := range typedFields {
			h.does("fill", `{"locator": {"label": `+quoted(f.name)+`, "exact": true}, "value": `+quoted(f.value)+`}`)
		}
		must.Succeed(t, b.Close())
	}
	if len(filesWith(t, profiles.Dir, remembered)) == 0 {
		t.Error("nothing is found of what the page itself keeps: this shows nothing")
	}
	for _, f := range append(typedFields, typedField{name: "Letter", value: "Dear Quetzalcoatl"}) {
		for _, file := range filesWith(t, profiles.Dir, f.value) {
			t.Errorf("%s %q is in %s", f.name, f.value, file)
		}
	}
}

// filesWith returns the files below dir that contain the text, with one or two bytes a letter.
func filesWith(t *testing.T, dir, text string) []string {
	t.Helper()
	wide, err := binary.Append(nil, binary.LittleEndian, utf16.Encode([]rune(text)))
	must.Succeed(t, err)
	var found []string
	must.Succeed(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(text)) || bytes.Contains(b, wide) {
			rel, _ := filepath.Rel(dir, path)
			found = append(found, rel)
		}
		return err
	}))
	return found
}
