package redact

import (
	"slices"
	"strings"
)

// strength says how much a key's name alone proves.
type strength int

const (
	none    strength = iota
	weak             // the value must look like a token: "token", "auth"
	medium           // any value that is no word of the trade: "client_secret"
	strong           // any value: "password"
	digits           // a few digits: a one-time code
	randoms          // the value must be long and random: "MAPS_KEY"
	mixes            // longer and of mixed case: "cohere key"
)

// keyWords are what sensitive names hold, in lower case. The longest names
// are still found by a word in them.
var keyWords = []string{"pass", "pwd", "secret", "token", "key", "auth", "credential", "jwt", "otp", "cvv", "cvc", "sessionid", "session_id", "sessid", "csrf", "xsrf", "connectionstring", "connection_string", "mnemonic", "seed_phrase"}

// suffix is how a sensitive name ends, joined and in lower case.
type suffix struct {
	end      string
	strength strength
	kind     string
}

var suffixes = []suffix{
	{"password", strong, "password"},
	{"passwd", strong, "password"},
	{"passphrase", strong, "password"},
	{"passcode", strong, "password"},
	{"passwort", strong, "password"},
	{"pwd", strong, "password"},
	{"passw", strong, "password"},
	{"passwords", medium, "password"},
	{"mnemonic", strong, "password"},
	{"seedphrase", strong, "password"},
	{"secret", medium, "secret"},
	{"secrets", randoms, "secret"},
	{"secretid", medium, "secret"},
	{"credential", randoms, "secret"},
	{"credentials", randoms, "secret"},
	{"connectionstring", randoms, "secret"},
	{"apikey", medium, "key"},
	{"secretkey", medium, "key"},
	{"accesskey", medium, "key"},
	{"privatekey", medium, "key"},
	{"authkey", medium, "key"},
	{"accountkey", medium, "key"},
	{"signingkey", medium, "key"},
	{"encryptionkey", medium, "key"},
	{"masterkey", medium, "key"},
	{"sharedkey", medium, "key"},
	{"clientkeydata", medium, "key"},
	{"privatekeydata", medium, "key"},
	{"subscriptionkey", medium, "key"},
	{"storagekey", medium, "key"},
	{"functionskey", medium, "key"},
	{"sshkey", randoms, "key"},
	{"hmackey", medium, "key"},
	{"sessionkey", medium, "key"},
	{"adminkey", medium, "key"},
	{"servicekey", medium, "key"},
	{"apikeys", medium, "key"},
	{"googapikey", medium, "key"},
	{"sharedaccesssignature", medium, "key"},
	{"token", medium, "token"},
	{"tokens", randoms, "token"},
	{"csrf", weak, "token"},
	{"xsrf", weak, "token"},
	{"jwt", weak, "token"},
	{"basicauth", weak, "authorization"},
	{"httpauth", weak, "authorization"},
	{"sessionid", weak, "session"},
	{"sessid", weak, "session"},
	{"otp", digits, "code"},
	{"totp", digits, "code"},
	{"cvv", digits, "code"},
	{"cvc", digits, "code"},
}

// qualifiers are last words of a name that leave it sensitive.
var qualifiers = []string{
	"value", "plain", "plaintext", "raw", "prod", "production", "dev", "staging", "stage", "test", "testing", "live", "old", "new",
	"current", "prev", "previous", "confirm", "confirmation", "default", "b64", "base64", "encoded", "local", "rw", "ro", "env", "again", "repeat", "base",
}

// harmless are names that end like sensitive ones and are none.
var harmless = []string{
	"nexttoken", "pagetoken", "nextpagetoken", "continuationtoken", "eostoken", "bostoken", "padtoken", "unktoken", "clstoken",
	"septoken", "masktoken", "stoptoken", "maxtoken", "specialtoken", "endtoken", "starttoken", "synctoken", "cursortoken",
	"publickey", "primarykey", "foreignkey", "cachekey", "partitionkey", "sortkey", "rowkey", "idempotencykey", "uniquekey",
	"objectkey", "hotkey", "monkey", "turkey", "keyboard", "publishablekey", "routingkey", "hashkey", "groupkey", "storekey", "messagekey",
	"translationkey", "restorekey", "sitekey", "whiskey", "jockey", "hockey", "donkey", "passkey", "compositekey", "surrogatekey", "naturalkey",
	"tokenauth", "forgotpassword", "resetpassword", "showpassword", "changepassword", "unexpectedtoken", "invalidtoken", "illegaltoken",
	"firstpass", "secondpass", "lastpass", "multipass", "onepass", "singlepass", "renderpass", "depthpass", "bypass", "boardingpass", "seasonpass",
	"missingtoken", "expiredtoken", "nopassword", "wrongpassword", "incorrectpassword", "invalidpassword", "badpassword",
}

// fieldWords are what fields for secrets are called, joined and in lower case,
// beside what judge knows: in a text these words say too little of what follows.
var fieldWords = []string{"pincode", "onetimecode", "securitycode", "verificationcode", "cardnumber", "ccnumber", "cccsc"}

// NamesSecret reports whether what goes into a field of this name, label or
// selector is a secret by that alone: "Password", "Security code", "Пароль".
func NamesSecret(name string) bool {
	str, _ := judge(name)
	joined := strings.Join(split(name), "")
	return str == strong || str == medium || str == digits ||
		joined == "pin" || slices.ContainsFunc(fieldWords, func(w string) bool { return strings.HasSuffix(joined, w) }) ||
		slices.ContainsFunc(foreignWords, func(w string) bool { return strings.Contains(name, w) })
}

// judge says what a name proves of its value.
func judge(name string) (strength, string) {
	words := split(name)
	for len(words) > 1 && (contains(qualifiers, words[len(words)-1]) || isDigit.all(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return none, ""
	}
	joined := strings.TrimRight(strings.Join(words, ""), "0123456789")
	if contains(harmless, joined) {
		return none, ""
	}
	last := words[len(words)-1]
	switch {
	case joined == "token":
		return weak, "token"
	case joined == "auth":
		return weak, "authorization"
	case joined == "pass", joined == "userpass":
		return weak, "password"
	case last == "pass", joined == "dbpass", joined == "mysqlpass", joined == "rootpass", joined == "adminpass", joined == "smtppass", joined == "userpass":
		return strong, "password"
	}
	for _, s := range suffixes {
		if strings.HasSuffix(joined, s.end) {
			return s.strength, s.kind
		}
	}
	if last == "key" && len(words) > 1 {
		for _, h := range harmless {
			if strings.HasSuffix(joined, h) {
				return none, ""
			}
		}
		return randoms, "key"
	}
	return none, ""
}

// split cuts a name into lower-case words at everything that is no letter or
// digit, and at the humps of camelCase.
func split(name string) []string {
	var words []string
	start := -1
	cut := func(i int) {
		if start >= 0 {
			words = append(words, strings.ToLower(name[start:i]))
		}
		start = -1
	}
	for i := range len(name) {
		c := name[i]
		if !isAlnum[c] {
			cut(i)
			continue
		}
		if start >= 0 && isUpper[c] && (isLower[name[i-1]] || isDigit[name[i-1]] || i+1 < len(name) && isLower[name[i+1]] && isUpper[name[i-1]]) {
			cut(i)
		}
		if start < 0 {
			start = i
		}
	}
	cut(len(name))
	return words
}
