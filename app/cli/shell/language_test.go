package shell

import "testing"

// TestChooseLanguage checks the order: the setting, a goal that is not in English, the system.
func TestChooseLanguage(t *testing.T) {
	tests := []struct {
		name string
		from languages
		want string
	}{
		{"nothing is known", languages{}, "en"},
		{"locale", languages{locale: "ru_RU.UTF-8"}, "ru"},
		{"locale without a language", languages{locale: "C.UTF-8"}, "en"},
		{"locale that there is no language for", languages{locale: "tlh"}, "en"},
		{"goal", languages{goal: "ru"}, "ru"},
		{"goal before locale", languages{goal: "ru", locale: "en_US.UTF-8"}, "ru"},
		{"English goal, another locale", languages{goal: "en", locale: "ru_RU.UTF-8"}, "ru"},
		{"setting before goal", languages{configured: "en", goal: "ru", locale: "ru_RU.UTF-8"}, "en"},
		{"setting before locale", languages{configured: "ru", locale: "en_US.UTF-8"}, "ru"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.from.choose().Tag(); got != tt.want {
				t.Errorf("%+v gives %s, want %s", tt.from, got, tt.want)
			}
		})
	}
}

// TestLocaleOf checks that LC_ALL precedes LC_MESSAGES, which precedes LANG, and that empty
// variables don't count.
func TestLocaleOf(t *testing.T) {
	tests := []struct {
		name string
		env  []string
		want string
	}{
		{"none", []string{"HOME=/x"}, ""},
		{"LANG", []string{"LANG=ru_RU.UTF-8"}, "ru_RU.UTF-8"},
		{"LC_MESSAGES", []string{"LANG=en_US", "LC_MESSAGES=ru_RU"}, "ru_RU"},
		{"LC_ALL", []string{"LC_MESSAGES=en_US", "LC_ALL=ru_RU", "LANG=en_US"}, "ru_RU"},
		{"empty LC_ALL", []string{"LC_ALL=", "LANG=ru"}, "ru"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := localeOf(tt.env); got != tt.want {
				t.Errorf("%q gives %q, want %q", tt.env, got, tt.want)
			}
		})
	}
}
