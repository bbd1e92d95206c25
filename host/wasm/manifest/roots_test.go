package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/host/wasm/manifest"
)

// TestRoots: a root is a name, or a path that means the same wherever the program
// runs; what could be granted to nobody is refused.
func TestRoots(t *testing.T) {
	for root, good := range map[string]bool{
		"files.roots": true, "inbox": true, "My photos": true, "вход": true,
		"/srv/data": true, "/srv/data/": true, "~/Inbox": true, `C:\Users\Ada`: true, "C:/Users/Ada": true,
		".": false, "..": false, "../..": false, "./data": false, "data/in": false, "/srv/../etc": false, "/srv//data": false,
		"~": false, "~/": false, "~/../x": false, "~ada/x": false, "/": false, `..\..`: false, "a=b": false, "/srv/a=b": false,
	} {
		t.Run(root, func(t *testing.T) {
			_, err := manifest.Parse(fmt.Appendf(nil, "%s[[paths]]\nroot = '%s'\n", small, root))
			if good && err != nil {
				t.Errorf("refused: %v", err)
			}
			if !good && (err == nil || !strings.Contains(i18n.English().Error(err), "a name such as inbox, or a full path such as ~/Inbox")) {
				t.Errorf("error is %v", err)
			}
		})
	}
}
