package guard_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	"errand/app/i18n"
	"errand/policy"
	"errand/policy/guard"
)

func ExampleGuard_Client() {
	p, err := policy.New(policy.Settings{AllowedDomains: []string{"intranet.example.com"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	g := guard.New(p, guard.Options{
		Resolve: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("10.1.2.3")}, nil
		},
	})
	client := g.Client(policy.Request{Tool: "news.fetch"})
	for _, url := range []string{"https://example.org/", "https://intranet.example.com/"} {
		_, err := client.Get(url)
		var denied *guard.DeniedError
		if errors.As(err, &denied) {
			fmt.Println(i18n.English().Error(denied))
		}
	}
	// Output:
	// connect to "https://example.org/": https://example.org:443 is not among the allowed domains
	// connect to "https://intranet.example.com/": intranet.example.com is denied because of its address: 10.1.2.3 is not a public address: private network (RFC 1918)
}
