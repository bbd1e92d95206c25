package config

import (
	"net/url"
	"path/filepath"
	"strings"

	"errand/planner/message"
	"errand/policy"
)

// API is the [api] table: the interface of `errand serve` for other programs.
type API struct {
	Enabled bool `toml:"enabled"`
}

// Jobs is the [jobs] table.
type Jobs struct {
	Workers   int `toml:"workers"`     // jobs at the same time
	Queue     int `toml:"queue"`       // jobs that wait for their turn
	MaxTimeMS int `toml:"max_time_ms"` // of one job
	// DatabaseURL names a PostgreSQL database. It has no password, which the environment or a
	// password file has. Empty: a file beside the record.
	DatabaseURL string `toml:"database_url"`
}

// checkJobs validates the address of the database. It never repeats the address.
func (l *Loaded) checkJobs(report reporter) {
	if l.Jobs.DatabaseURL == "" {
		return
	}
	u, err := url.Parse(l.Jobs.DatabaseURL)
	switch {
	case err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Opaque != "":
		report("jobs.database_url", message.New("config.bad_database_url", "why", "url"))
	case hasPassword(u):
		report("jobs.database_url", message.New("config.bad_database_url", "why", "password"))
	}
}

func hasPassword(u *url.URL) bool {
	_, has := u.User.Password()
	return has || u.Query().Has("password")
}

// Telegram is the [telegram] table: the bot of `errand telegram`.
type Telegram struct {
	BaseURL   string `toml:"base_url"`   // https, or http to a loopback address
	TokenFrom string `toml:"token_from"` // env:VARIABLE or secret:NAME
}

// TokenSource returns where the token of the bot is.
func (t Telegram) TokenSource() KeySource { return keySource(t.TokenFrom) }

// TelegramPolicy returns the policy of requests to the bot API, as [Loaded.ProviderPolicy] does for
// providers.
func (l *Loaded) TelegramPolicy() (*policy.Policy, error) { return l.addressPolicy(l.Telegram.BaseURL) }

// Voice is the [voice] table: what turns recordings into text.
type Voice struct {
	// Command is a program with its arguments. "{file}" in one of them stands for the recording. Empty:
	// there is none.
	Command   []string `toml:"command"`
	TimeoutMS int      `toml:"timeout_ms"` // of one recording
}

// VoiceFile stands for the recording in the command of [Voice].
const VoiceFile = "{file}"

// checkTelegram validates [telegram] and [voice]. It never repeats the address or the token.
func (l *Loaded) checkTelegram(report reporter) {
	if m := l.checkBaseURL(l.Telegram.BaseURL); !m.IsZero() {
		report("telegram.base_url", m)
	}
	if l.Telegram.TokenFrom == "" || !isKeySource(l.Telegram.TokenFrom) {
		report("telegram.token_from", message.New("config.bad_key_source"))
	}
	if c := l.Voice.Command; len(c) > 0 && (c[0] == "" || strings.ContainsRune(c[0], filepath.Separator) && !filepath.IsAbs(c[0])) {
		report("voice.command[0]", message.New("config.bad_voice_command"))
	}
}
