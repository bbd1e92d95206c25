package apps

import "strings"

// locales lists the locales of a file that fit a locale of the environment, the best first, by the
// rule of the specification: "sr_RS.UTF-8@latin" is sr_RS@latin, sr_RS, sr@latin, sr.
func locales(env string) []string {
	env, modifier, _ := strings.Cut(env, "@")
	env, _, _ = strings.Cut(env, ".")
	language, country, _ := strings.Cut(env, "_")
	if language == "" || language == "C" || language == "POSIX" {
		return nil
	}
	var out []string
	if country != "" && modifier != "" {
		out = append(out, language+"_"+country+"@"+modifier)
	}
	if country != "" {
		out = append(out, language+"_"+country)
	}
	if modifier != "" {
		out = append(out, language+"@"+modifier)
	}
	return append(out, language)
}

// localized returns the value for a locale of the environment, else the one without a locale.
func localized[T any](values map[string]T, env string) T {
	for _, locale := range locales(env) {
		if v, ok := values[locale]; ok {
			return v
		}
	}
	return values[""]
}

// language is the language of a locale: "ru" of "ru_RU@x".
func language(locale string) string {
	if i := strings.IndexAny(locale, "_.@"); i >= 0 {
		return locale[:i]
	}
	return locale
}
