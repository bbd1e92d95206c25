package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// placeholder reports whether a value stands for a secret and is none: already
// hidden, a variable, a template, an instruction to the reader.
func placeholder(v string) bool {
	if end := markAt(v, 0); end == len(v) && end > 0 {
		return true
	}
	v = strings.TrimSpace(v)
	if v == "" {
		return true
	}
	first, last := v[0], v[len(v)-1]
	switch {
	case strings.Trim(v, "*•·.-_?#~") == "", len(v) >= 3 && strings.Trim(v, "xX-_") == "", strings.Trim(v, "…•●∗＊") == "":
		return true
	case first == '<' && (last == '>' || !strings.Contains(v, ">")), first == '{' && last == '}', first == '[' && last == ']', first == '(' && last == ')':
		return true
	case strings.HasPrefix(v, "${"), strings.HasPrefix(v, "{{"), strings.HasPrefix(v, "$("), strings.HasPrefix(v, "<%"), strings.HasPrefix(v, "#{"), strings.HasPrefix(v, "$env:"), strings.HasPrefix(v, "{%"):
		return true
	case first == '$' && isWord.all(v[1:]) && !isDigit[v[1]]:
		return true
	case first == '%' && last == '%' && len(v) > 2, first == '%' && (len(v) == 2 && isAlpha[last] || strings.HasPrefix(v, "%(") || v == "%+v"):
		return true
	case strings.HasPrefix(v, "***") || strings.HasSuffix(v, "****"):
		return true
	case strings.Contains(v, "xxxx") || strings.Contains(v, "XXXX"):
		return true
	}
	low := strings.ToLower(v)
	for _, w := range []string{"your-", "your_", "my-secret-here", "change_me", "change-me", "replace_me", "replace-me", "redacted", "placeholder", "insert_", "insert-", "[filtered]", "example_"} {
		if strings.HasPrefix(low, w) {
			return true
		}
	}
	return strings.HasSuffix(low, "_here") || strings.HasSuffix(low, "-here") || low == "…" || low == "..."
}

// common are words that stand where a secret could and say something about it.
var common = strings.Fields(`null nil none undefined true false yes no on off empty blank missing required optional
	string str text int integer number bool boolean bytes object array any char varchar uuid hash
	invalid valid expired expires unset set hidden secret password token passwd n/a na todo tbd unknown default
	enabled disabled include omit same-origin allowed denied ok okay failed success wrong correct incorrect
	bearer basic digest oauth oauth2 jwt apikey api_key header cookie query body env environment file vault keyring keychain
	prompt ask input stdin interactive plaintext encrypted hashed bcrypt argon2 scrypt sha256 md5 rotated revoked changed updated deleted
	must should is was are has not and or the a an for with of to from in is_required needs nothing something
	eof ident identifier keyword comma semicolon colon newline whitespace
	option flag argument parameter switch done erforderlich ungültig falsch fehlt обязателен неверный requis requerido richiesto
	nonnull nullable redacted masked removed censored see same again strength policy manager reset field`)

var commonWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range common {
		m[w] = true
	}
	return m
}()

func commonValue(v string) bool {
	return commonWords[strings.ToLower(strings.Trim(v, ".,:;!?()[]\"' "))]
}

// code reports whether a value is an expression that yields the secret.
func code(v string, quoted bool) bool {
	if quoted {
		return strings.HasPrefix(v, "env:") || strings.HasPrefix(v, "vault:") || strings.HasPrefix(v, "op://") || strings.HasPrefix(v, "file:")
	}
	if open := strings.IndexByte(v, '('); open > 0 && isDots.all(v[:open]) {
		return true // a call
	}
	if open := strings.IndexByte(v, '['); open > 0 && isDots.all(v[:open]) && markAt(v, open) < 0 {
		return true // an index, or a type
	}
	if strings.HasPrefix(v, "&") || strings.HasPrefix(v, "@") && isWord.all(v[1:]) || strings.HasPrefix(v, "!") && isAlpha.some(v) && len(v) < 12 || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "/run/") || strings.HasPrefix(v, "/etc/") || strings.HasPrefix(v, "/home/") || strings.HasPrefix(v, "/var/") {
		return true
	}
	head, _, dotted := strings.Cut(v, ".")
	if !dotted || !isDots.all(v) || isDigit.some(v) && !roots[head] {
		return false
	}
	return roots[head] || member(v)
}

// roots are what an expression that names a value begins with.
var roots = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("self this config cfg conf settings process os env environ args opts options request req user params data ctx var local vault input secrets module props state form body json app System import input event Deno credentials creds") {
		m[w] = true
	}
	return m
}()

// member reports whether every part of a dotted value is an identifier in
// letters, and one of them names what it holds.
func member(v string) bool {
	for part := range strings.SplitSeq(v, ".") {
		if part == "" || !isWord.all(part) {
			return false
		}
	}
	str, _ := judge(v)
	return str != none
}

// sameWord reports whether the value repeats the name ("password=password",
// a label "Password").
func sameWord(name, v string) bool {
	return strings.EqualFold(name, v) || strings.EqualFold(strings.Join(split(name), ""), strings.Join(split(v), "")) && len(split(v)) > 0 && isDots.all(v)
}

// wordly reports whether v is one word of letters.
func wordly(v string) bool {
	first, n := utf8.DecodeRuneInString(v)
	for i, r := range v {
		if !unicode.IsLetter(r) && r != '\'' && r != '-' || i > 0 && unicode.IsUpper(r) && unicode.IsLower(first) {
			return false
		}
	}
	return v != "" && (strings.ToLower(v[n:]) == v[n:] || strings.ToUpper(v) == v)
}

// openings are words that sentences about a secret begin with.
var openings = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`is must should may can cannot can't was were has have does do doesn't don't field required invalid
		too at least please enter your this that the a an not incorrect wrong missing forgot forgotten reset change new old current confirm
		minimum maximum no never use set show hide type choose create update repeat re-enter passwords password expected unexpected
		bitte geben ihr das dein введите ваш неверный забыли`) {
		m[w] = true
	}
	return m
}()

// sentence reports whether a quoted value with blanks talks about a secret.
func sentence(v string) bool {
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(v)), " ")
	if !strings.Contains(strings.TrimSpace(v), " ") {
		return false
	}
	return openings[strings.Trim(first, ".,:;!?")] || strings.Contains(strings.ToLower(v), "password") || strings.Contains(strings.ToLower(v), "passwort")
}

// random reports whether v looks like something that nobody would write:
// letters and digits in one word of eight or more, or a long mixed one.
func random(v string) bool {
	if len(v) < 8 || strings.ContainsAny(v, " \t\n") {
		return false
	}
	if isDigit.some(v) && isAlpha.some(v) {
		return true
	}
	return len(v) >= 16 && isUpper.some(v) && isLower.some(v)
}

// odd reports whether v is no word: a digit or sign among letters.
func odd(v string) bool {
	return isAlpha.some(v) && (isDigit.some(v) || strings.ContainsAny(v, "!@#$%^&*_+=~"))
}
