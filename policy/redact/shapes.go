package redact

import "strings"

// shape is a token that its own spelling gives away: a prefix that its issuer
// gave it, then a run of certain bytes.
type shape struct {
	kind     string
	prefixes string // separated by spaces
	body     *charset
	min, max int // length of the body; max 0: any
	ok       func(body string) bool
}

// shapes follow what the issuers document. Lengths are a little below the
// documented ones: a token that was cut still opens doors when guessed.
var shapes = []shape{
	{"aws-key", "AKIA ASIA ABIA ACCA", chars(isUpper, isDigit), 16, 16, nil},
	{"aws-key", "ABSK", &isB64, 60, 0, nil},
	{"github", "ghp_ gho_ ghu_ ghs_ ghr_", &isAlnum, 16, 0, nil},
	{"github", "github_pat_", &isWord, 20, 0, nil},
	{"gitlab", "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glsoat- glagent- gloas- glimt- glffct- GR1348941", &isDots, 16, 0, nil},
	{"slack", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xoxe.xoxp- xoxe.xoxb- xapp-", chars(isToken, bytesOf("%")), 10, 0, mixed},
	{"openai", "sk- sess-", &isToken, 20, 0, mixed},
	{"anthropic", "sk-ant-", &isToken, 10, 0, mixed},
	{"huggingface", "hf_ api_org_", &isAlnum, 16, 0, nil},
	{"xai", "xai-", &isToken, 20, 0, mixed},
	{"groq", "gsk_", &isAlnum, 20, 0, mixed},
	{"replicate", "r8_", &isToken, 20, 0, mixed},
	{"perplexity", "pplx-", &isAlnum, 20, 0, mixed},
	{"nvidia", "nvapi-", &isToken, 20, 0, mixed},
	{"langsmith", "lsv2_pt_ lsv2_sk_ tvly- jina_ fw_", &isWord, 20, 0, mixed},
	{"google", "AIza", &isToken, 30, 0, nil},
	{"google", "GOCSPX-", &isToken, 16, 0, nil},
	{"google", "ya29. 1//0 4/0A", &isDots, 16, 0, mixed},
	{"stripe", "sk_live_ sk_test_ rk_live_ rk_test_ rk_prod_ sk_prod_", &isAlnum, 10, 0, nil},
	{"stripe", "whsec_", &isB64, 16, 0, mixed},
	{"sendgrid", "SG.", &isDots, 30, 0, twoParts},
	{"brevo", "xkeysib- xsmtpsib-", &isToken, 20, 0, nil},
	{"npm", "npm_", &isAlnum, 20, 0, nil},
	{"pypi", "pypi-", &isToken, 16, 0, mixed},
	{"rubygems", "rubygems_", &isHex, 32, 0, nil},
	{"crates", "cio", &isAlnum, 32, 32, mixed},
	{"docker", "dckr_pat_ dckr_oat_", &isToken, 16, 0, nil},
	{"databricks", "dapi", chars(isHex, bytesOf("-")), 32, 34, nil},
	{"digitalocean", "dop_v1_ doo_v1_ dor_v1_", &isHex, 32, 0, nil},
	{"heroku", "HRKU-", &isToken, 20, 0, nil},
	{"linear", "lin_api_ lin_oauth_", &isAlnum, 16, 0, nil},
	{"notion", "secret_", &isAlnum, 32, 0, mixed},
	{"notion", "ntn_", &isAlnum, 20, 0, mixed},
	{"figma", "figd_ figo_", &isToken, 16, 0, nil},
	{"postman", "PMAK-", &isToken, 16, 0, nil},
	{"atlassian", "ATATT3 ATCTT3 ATBB", chars(isToken, bytesOf("=")), 16, 0, nil},
	{"shopify", "shpat_ shpca_ shppa_ shpss_", &isAlnum, 16, 0, nil},
	{"square", "sq0atp- sq0csp- sq0idp-", &isToken, 16, 0, nil},
	{"square", "EAAA", &isToken, 56, 0, mixed},
	{"facebook", "EAAC EAAB EAAG EAAD", &isAlnum, 40, 0, mixed},
	{"mailgun", "key-", &isHex, 32, 32, nil},
	{"terraform", "atlasv1.", &isToken, 20, 0, nil},
	{"vault", "hvs. hvb. hvr.", &isToken, 20, 0, nil},
	{"doppler", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", &isDots, 20, 0, nil},
	{"grafana", "glsa_ glc_", chars(isWord, bytesOf("+/=")), 20, 0, nil},
	{"newrelic", "NRAK- NRII- NRJS- NRRA- NRAA-", &isToken, 16, 0, nil},
	{"sentry", "sntrys_ sntryu_", chars(isWord, bytesOf("+/=-.")), 20, 0, nil},
	{"pulumi", "pul-", &isHex, 40, 0, nil},
	{"planetscale", "pscale_tkn_ pscale_pw_ pscale_oauth_", &isDots, 16, 0, nil},
	{"supabase", "sbp_ sb_secret_", &isWord, 20, 0, mixed},
	{"tailscale", "tskey-", &isToken, 16, 0, mixed},
	{"age", "AGE-SECRET-KEY-1 AGE-PLUGIN-", chars(isAlnum, bytesOf("-")), 20, 0, nil},
	{"flyio", "fm1_ fm2_ fo1_", chars(isWord, bytesOf("+/=-")), 20, 0, mixed},
	{"render", "rnd_", &isAlnum, 20, 0, mixed},
	{"netlify", "nfp_", &isAlnum, 20, 0, nil},
	{"clerk", "sk_", &isAlnum, 32, 0, mixed},
	{"alibaba", "LTAI", &isAlnum, 16, 26, nil},
	{"tencent", "AKID", &isAlnum, 32, 36, mixed},
	{"plaid", "access-sandbox- access-production- access-development-", &isToken, 20, 0, nil},
	{"posthog", "phx_", &isAlnum, 30, 0, nil},
	{"circleci", "CCIPAT_ CCIPRJ_", &isWord, 20, 0, nil},
	{"buildkite", "bkua_", &isHex, 40, 0, nil},
	{"airtable", "pat", &isDots, 70, 90, twoParts},
	{"mapbox", "sk.eyJ", &isDots, 20, 0, nil},
	{"dynatrace", "dt0c01. dt0s01. dt0s02.", &isDots, 40, 0, nil},
	{"flutterwave", "FLWSECK_TEST- FLWSECK-", &isToken, 12, 0, nil},
	{"easypost", "EZAK EZTK", &isAlnum, 54, 0, nil},
	{"shippo", "shippo_live_ shippo_test_", &isHex, 32, 0, nil},
	{"duffel", "duffel_live_ duffel_test_", &isToken, 30, 0, nil},
	{"adafruit", "aio_", &isAlnum, 28, 28, nil},
	{"onepassword", "ops_eyJ", chars(isToken, bytesOf("=")), 40, 0, nil},
	{"bitcoin", "xprv", &isAlnum, 100, 0, nil},
	{"password-hash", "$2a$ $2b$ $2y$ $6$ $5$ $apr1$ $argon2id$ $argon2i$ $scrypt$ $y$", chars(isAlnum, bytesOf("$./,=+-")), 30, 0, nil},
	{"cloudflare", "v1.0-", chars(isHex, bytesOf("-")), 100, 0, nil},
	{"vercel", "vercel_blob_rw_ vcp_ vck_ vca_ vci_", &isWord, 20, 0, mixed},
	{"dropbox", "sl.", &isDots, 100, 0, mixed},
	{"yandex", "y0_ y1_ y2_ y3_", &isToken, 30, 0, mixed},
	{"yandex", "t1.", &isDots, 40, 0, twoParts},
	{"yandex", "AQVN", &isToken, 30, 0, mixed},
	{"yandex", "YCA YCN YCO YCM YCP", &isToken, 22, 40, mixed},
	{"vk", "vk1.a.", &isToken, 40, 0, mixed},
	{"contentful", "CFPAT-", &isToken, 30, 0, mixed},
	{"resend", "re_", &isWord, 28, 40, mixed},
	{"typeform", "tfp_", &isToken, 30, 0, mixed},
	{"jfrog", "AKCp", &isAlnum, 60, 0, mixed},
	{"sonar", "squ_ sqp_ sqa_", &isHex, 40, 0, nil},
	{"openshift", "sha256~", &isToken, 40, 0, mixed},
	{"prefect", "pnu_ pnb_", &isAlnum, 30, 0, mixed},
	{"hubspot", "pat-na1- pat-eu1- pat-ap1-", chars(isHex, bytesOf("-")), 32, 0, nil},
	{"intercom", "dG9rO", &isB64, 30, 0, mixed},
	{"scaleway", "SCW", chars(isUpper, isDigit), 17, 17, isDigit.some},
	{"infracost", "ico-", &isAlnum, 30, 0, mixed},
	{"frameio", "fio-u-", &isToken, 40, 0, mixed},
	{"mailersend", "mlsn.", &isHex, 40, 0, nil},
	{"razorpay", "rzp_live_ rzp_test_", &isAlnum, 14, 0, nil},
	{"paddle", "pdl_live_ pdl_sdbx_", &isWord, 20, 0, mixed},
	{"honeycomb", "hcaik_ hcamk_ hcbik_ hcxik_", &isAlnum, 30, 0, nil},
	{"launchdarkly", "sdk- api- mob-", chars(isHex, bytesOf("-")), 36, 36, uuid},
	{"openai", "sk-lf- sk-helicone-", &isToken, 20, 0, nil},
	{"together", "tgp_v1_", &isToken, 30, 0, mixed},
	{"cerebras", "csk-", &isAlnum, 30, 0, nil},
	{"apify", "apify_api_", &isAlnum, 30, 0, nil},
	{"firecrawl", "fc- e2b_", &isHex, 32, 40, nil},
	{"neon", "napi_", &isAlnum, 40, 0, nil},
	{"runpod", "rpa_", &isAlnum, 40, 0, nil},
	{"hcaptcha", "ES_", &isAlnum, 30, 0, mixed},
	{"gitea", "gitea_ gta_", &isAlnum, 30, 0, nil},
	{"zoho", "1000.", chars(isHex, bytesOf(".")), 65, 65, twoParts},
	{"openrouter", "sk-or-v1-", &isHex, 16, 0, nil},
}

// mixed refuses words: "sk-learn-pipelines-for-everyone" is none of anyone's
// keys.
func mixed(body string) bool {
	return isDigit.some(body) || isUpper.some(body) && isLower.some(body)
}

func twoParts(body string) bool {
	first, second, ok := strings.Cut(body, ".")
	return ok && len(first) >= 12 && len(second) >= 16
}

func uuid(body string) bool { return strings.Count(body, "-") == 4 }

func chars(parts ...charset) *charset {
	var c charset
	for _, p := range parts {
		for b, in := range p {
			c[b] = c[b] || in
		}
	}
	return &c
}

// shaped tries one shape at text[pos], where its prefix stands in any case.
func (s *scanner) shaped(sh *shape, prefix string, pos int) {
	if !strings.HasPrefix(s.text[pos:], prefix) || !s.begins(pos) {
		return
	}
	from := pos + len(prefix)
	end := s.run(sh.body, from)
	for end > from && !isAlnum[s.text[end-1]] && s.text[end-1] != '=' {
		end-- // a full stop or dash behind a token is the sentence's
	}
	body := s.text[from:end]
	if len(body) < sh.min || sh.max > 0 && len(body) > sh.max || sh.ok != nil && !sh.ok(body) {
		return
	}
	s.add(sh.kind, pos, end)
}

// begins reports whether a token can begin at text[i]: not in the middle of a
// word, unless what stands before it is an escape such as \n or %3D.
func (s *scanner) begins(i int) bool {
	t := s.text
	if i == 0 || !isAlnum[t[i-1]] || s.gap(i) {
		return true
	}
	if i >= 2 && t[i-2] == '\\' {
		return true
	}
	if i >= 3 && t[i-3] == '%' && isHex[t[i-2]] && isHex[t[i-1]] {
		return true
	}
	return i >= 6 && t[i-6] == '\\' && t[i-5] == 'u'
}
