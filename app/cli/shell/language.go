package shell

import (
	"strings"

	"errand/app/config"
	"errand/app/i18n"
)

// languages are the sources of the language of messages, as tags; empty: unknown.
type languages struct {
	configured string // the setting ui.language
	goal       string // the goal's
	locale     string // the system's, as in ru_RU.UTF-8
}

// choose returns the language of messages: the configured one, else that of the goal if it is not
// English, else the system's.
func (l languages) choose() *i18n.Language {
	if l.configured != "" {
		return i18n.ForTag(l.configured)
	}
	if goal := i18n.ForTag(l.goal); goal != i18n.English() {
		return goal
	}
	return i18n.ForTag(l.locale)
}

// localeOf returns the locale of messages in an environment, or "".
func localeOf(env []string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		for _, pair := range env {
			if value, ok := strings.CutPrefix(pair, name+"="); ok && value != "" {
				return value
			}
		}
	}
	return ""
}

// SystemLanguage returns the tag of the system's language, such as "ru", or "".
func (s *Shell) SystemLanguage() string {
	if locale := localeOf(s.Env); locale != "" {
		return i18n.ForTag(locale).Tag()
	}
	return ""
}

// language is that of messages for people. The configuration is read for it if no
// command has read it yet; a wrong one is an error of the command, not of its
// language.
func (s *Shell) language(goal string) *i18n.Language {
	l := languages{goal: goal, locale: localeOf(s.Env)}
	switch {
	case s.app != nil:
		l.configured = s.app.Config().UI.Language
	case s.configured == nil:
		s.configured = new(string)
		if loaded, err := s.Load(); err == nil {
			*s.configured = loaded.UI.Language
		}
		fallthrough
	default:
		l.configured = *s.configured
	}
	return l.choose()
}

// Load reads the configuration without opening the program.
func (s *Shell) Load() (*config.Loaded, error) {
	return config.Load(config.Options{File: s.ConfigFile, Env: s.Env})
}
