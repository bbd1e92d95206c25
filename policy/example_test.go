package policy_test

import (
	"fmt"

	"errand/app/i18n"
	"errand/policy"
)

func ExamplePolicy_Decide() {
	p, err := policy.New(policy.Settings{AllowedDomains: []string{"youtube.com", "*.youtube.com"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, url := range []string{
		"https://youtube.com/results?search_query=nvidia",
		"https://example.org/",
		"http://169.254.169.254/latest/meta-data/",
	} {
		d := p.Decide(policy.Request{Kind: policy.KindNavigate, URL: url})
		fmt.Println(d.Verdict, d.Rule)
	}
	// Output:
	// allow allowlist.listed
	// ask allowlist.unlisted
	// deny floor.private_address
}

func ExampleNew() {
	_, err := policy.New(policy.Settings{AllowedDomains: []string{"example.com", "*.co.uk", "example.org/v1/"}})
	fmt.Println(i18n.English().Error(err))
	// Output:
	// allowed_domains[1] "*.co.uk": anyone can register a name under co.uk: a wildcard would allow them all
	// allowed_domains[2] "example.org/v1/": a path needs a scheme before the host: write https://example.org/v1/
}
