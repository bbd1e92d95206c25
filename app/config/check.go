package config

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"aead.dev/minisign"

	"errand/host/mount"
	"errand/host/realpath"
	"errand/host/tool/keyline"
	"errand/planner/catalogue"
	"errand/planner/message"
	"errand/policy"
	"errand/policy/folder"
)

// ranges has the bounds of numbers, by key.
var ranges = map[string]struct{ low, high int }{
	"policy.budget.requests":            {0, 1_000_000_000},
	"policy.budget.hosts":               {0, 1_000_000},
	"policy.budget.bytes":               {0, 1 << 50},
	"run.step_timeout_ms":               {1, 3_600_000},
	"run.parallel":                      {1, 64},
	"store.retention_days":              {0, 36_500},
	"agent.internal.max_steps":          {1, 1_000},
	"agent.internal.max_wall_time_ms":   {1, 86_400_000},
	"agent.internal.max_failures":       {1, 1_000},
	"agent.internal.max_no_ops":         {1, 100},
	"agent.internal.max_tokens":         {0, 1_000_000_000},
	"agent.internal.max_tokens_per_day": {0, 1_000_000_000_000},
	"llm.openai.timeout_ms":             {1_000, 600_000},
	"llm.anthropic.timeout_ms":          {1_000, 600_000},
	"llm.ollama.timeout_ms":             {1_000, 600_000},
	"llm.openai.max_output_tokens":      {1, 1_000_000},
	"llm.anthropic.max_output_tokens":   {1, 1_000_000},
	"llm.ollama.max_output_tokens":      {1, 1_000_000},
	"jobs.workers":                      {1, 64},
	"jobs.queue":                        {1, 100_000},
	"jobs.max_time_ms":                  {1_000, 86_400_000},
	"voice.timeout_ms":                  {1_000, 600_000},
}

// reporter adds a fault in the value of a key.
type reporter func(key string, m message.Message)

// reporter adds faults with their places. at has the lines of keys.
func (l *Loaded) reporter(at map[string]int, faults *Problems) reporter {
	return func(key string, m message.Message) {
		source, line := filepath.Base(l.Paths.File), keyline.Nearest(at, key)
		if from := l.Source(rootKey(key)); strings.HasPrefix(from, "ERRAND_") || line == 0 {
			source, line = from, 0
		}
		*faults = append(*faults, Problem{source, line, key, m})
	}
}

// check validates the values.
func (l *Loaded) check(at map[string]int) (faults Problems) {
	report := l.reporter(at, &faults)
	for _, key := range Keys() {
		if allowed := choicesOf(key); allowed != nil {
			if value := valueOf(l.Config, key).(string); key == showKey && formerShow[value] != "" {
				report(key, formerShowFault(value))
			} else if !slices.Contains(allowed, value) {
				report(key, message.New("config.not_allowed", "value", value, "allowed", allowed))
			}
		}
		if r, ok := ranges[key]; ok {
			if n := valueOf(l.Config, key).(int); n < r.low || n > r.high {
				report(key, message.New("config.out_of_range", "number", n, "low", r.low, "high", r.high))
			}
		}
	}
	l.checkBrowser(report)
	if l.Policy.PersistRawHTML {
		report("policy.persist_raw_html", message.New("config.pages_not_kept"))
	}
	if !l.Policy.BlockPrivate {
		report("policy.block_private_ranges", message.New("config.private_stays_blocked"))
	}
	l.checkAgent(report)
	l.checkLLM(report)
	l.checkJobs(report)
	l.checkMCP(report)
	l.checkTelegram(report)
	l.checkFolders(report)
	for i, text := range l.Plugins.TrustedKeys {
		var key minisign.PublicKey
		if err := key.UnmarshalText([]byte(text)); err != nil {
			report(fmt.Sprintf("plugins.trusted_keys[%d]", i), message.New("config.bad_public_key", "key", fmt.Sprintf("%.80s", text)))
		}
	}
	for i, app := range l.Apps {
		if isErrand(app) {
			report(fmt.Sprintf("apps[%d].exec", i), message.New("config.errand_as_app"))
		}
	}
	cat, err := catalogue.New(l.Sites, l.Apps)
	if err != nil {
		for _, err := range unjoin(err) {
			report(l.catalogueFault(err))
		}
		return faults
	}
	if !cat.Searchable(l.Search.DefaultPlatform) {
		report("search.default_platform", message.New("config.unknown_platform", "site", l.Search.DefaultPlatform))
	}
	topics := l.Search.Topics()
	delete(topics, "directions") // the site of maps
	for _, topic := range slices.Sorted(maps.Keys(topics)) {
		if !cat.Searchable(topics[topic]) {
			report("search."+topic, message.New("config.unknown_platform", "site", topics[topic]))
		}
	}
	gate, err := l.compilePolicy(cat, report)
	if err != nil && len(faults) == 0 {
		report("policy", message.FromError(err))
	}
	l.Catalogue, l.Gate = cat, gate
	return faults
}

func (l *Loaded) checkBrowser(report reporter) {
	if l.Browser.Profile != "" && !profileName().MatchString(l.Browser.Profile) {
		report("browser.profile", message.New("config.bad_profile", "profile", l.Browser.Profile))
	}
	if l.Browser.CDP != "" {
		if why := notCDP(l.Browser.CDP); why != "" {
			report("browser.cdp", message.New("config.bad_cdp", "address", l.Browser.CDP, "why", why))
		}
		if l.Browser.Profile != "" || l.Browser.Mode == "external" {
			report("browser.cdp", message.New("config.cdp_with_profile"))
		}
	}
}

// checkFolders validates the folders of files and plugins.
func (l *Loaded) checkFolders(report reporter) {
	if l.Paths.Home == "" && l.Source("files.roots") == "default" {
		l.Files.Roots = []string{} // without a home folder the default roots can't be resolved
	}
	own := newOverlaps(l.ownPlaces())
	for i, root := range l.Files.Roots {
		dir, err := l.Expand(root)
		if err != nil {
			report(fmt.Sprintf("files.roots[%d]", i), message.FromError(err))
		} else if place, found := own.find(dir); found {
			report(fmt.Sprintf("files.roots[%d]", i), place.overlapMessage(root))
		}
	}
	for i, dir := range l.Plugins.Dirs {
		if _, err := l.Expand(dir); err != nil {
			report(fmt.Sprintf("plugins.dirs[%d]", i), message.FromError(err))
		}
	}
}

// compilePolicy compiles the [policy] table, with the hosts of a catalogue. It reports
// faults of entries and rules; the error has all.
func (l *Loaded) compilePolicy(cat *catalogue.Catalogue, report reporter) (*policy.Policy, error) {
	settings, places := l.Policy.settings(cat.HostPatterns())
	settings.RealPath, settings.WalkPaths, settings.FileID = l.Paths.realPath, realpath.Walk, realpath.FileID
	settings.Mounts = func() folder.Mounts { return mount.Read() }
	gate, err := policy.New(settings)
	if err == nil {
		return gate, nil
	}
	for _, err := range unjoin(err) {
		if entry, ok := errors.AsType[*policy.SettingError](err); ok { // subresources is reported above, with its line
			key, messages := policyFaults(entry, places)
			for _, m := range messages {
				report(key, m)
			}
		}
	}
	return gate, err
}

// Expand resolves a configured folder to an absolute, clean path.
func (l *Loaded) Expand(dir string) (string, error) {
	path := l.Paths.Resolve(dir)
	if !filepath.IsAbs(path) {
		return "", message.Error("config.relative_folder", "folder", dir)
	}
	return filepath.Clean(path), nil
}

// Roots returns the absolute folders that file tools may access.
func (l *Loaded) Roots() []string {
	roots := make([]string, 0, len(l.Files.Roots))
	for _, root := range l.Files.Roots {
		if dir, err := l.Expand(root); err == nil { // check rejects all others
			roots = append(roots, dir)
		}
	}
	return roots
}

// KnownSites is the entry of policy.allowed_domains that stands for the hosts of all
// sites that Errand knows.
const KnownSites = "@catalogue"

// ClosedSites counts the host patterns of known sites that before allows by
// [KnownSites] and l no longer does. before may be nil.
func (l *Loaded) ClosedSites(before *Loaded) int {
	if before == nil || !slices.Contains(before.Policy.AllowedDomains, KnownSites) || slices.Contains(l.Policy.AllowedDomains, KnownSites) {
		return 0
	}
	return len(l.Catalogue.HostPatterns())
}

// settings converts the [policy] table to the settings that policy compiles. It expands
// "@catalogue" to the host patterns of the catalogue. The places give the index in
// allowed_domains that each pattern comes from.
func (p Policy) settings(catalogue []string) (s policy.Settings, places []int) {
	s = policy.Settings{
		AllowPrivate: p.AllowPrivate, Subresources: p.Subresources,
		UserGoalTools: p.UserGoalTools, Rules: p.Rules,
	}
	for i, entry := range p.AllowedDomains {
		patterns := []string{entry}
		if entry == KnownSites {
			patterns = catalogue
		}
		s.AllowedDomains = append(s.AllowedDomains, patterns...)
		for range patterns {
			places = append(places, i)
		}
	}
	return s, places
}

var profileName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?$`) })

// notCDP says why address is not the DevTools address of a browser on this machine, or
// returns "". Names are rejected because they could resolve to another machine;
// "localhost" is rejected too, because the hosts file can change it.
func notCDP(address string) (why string) {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" {
		return "url"
	}
	host, err := netip.ParseAddr(u.Hostname())
	switch {
	case u.Scheme != "http" && u.Scheme != "ws":
		return "scheme"
	case u.Hostname() != "localhost" && (err != nil || !host.IsLoopback()):
		return "host"
	case u.Port() == "":
		return "port"
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "extra"
	case u.Scheme == "http" && strings.Trim(u.Path, "/") != "":
		return "path"
	}
	return ""
}

var toolName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`) })

// policyFaults returns the key that an error of policy is about, and what is wrong.
func policyFaults(e *policy.SettingError, places []int) (key string, faults []message.Message) {
	i := e.Index
	if e.Key == "allowed_domains" && i < len(places) {
		i = places[i]
	}
	for _, cause := range unjoin(e.Cause) {
		m := message.FromError(cause)
		if e.Key != "rules" {
			m = message.New("config.bad_entry", "entry", e.Text, "fault", m)
		}
		faults = append(faults, m)
	}
	return fmt.Sprintf("policy.%s[%d]", e.Key, i), faults
}

// catalogueFault returns the key that an error of the catalogue is about, and what is
// wrong.
func (l *Loaded) catalogueFault(err error) (key string, m message.Message) {
	var e *catalogue.EntryError
	if !errors.As(err, &e) {
		return "sites", message.FromError(err)
	}
	i := -1
	if e.Kind == "site" {
		i = slices.IndexFunc(l.Sites, func(s catalogue.Site) bool { return s.ID == e.ID })
	} else {
		i = slices.IndexFunc(l.Apps, func(a catalogue.App) bool { return a.ID == e.ID })
	}
	if i < 0 {
		return e.Kind + "s", message.FromError(err)
	}
	return fmt.Sprintf("%ss[%d].%s", e.Kind, i, e.Field), e.Reason
}

func indexKey(key string, i int) string { return fmt.Sprintf("%s[%d]", key, i) }

func rootKey(key string) string {
	root, _, _ := strings.Cut(key, "[")
	return root
}

// unjoin returns the errors that errors.Join joined.
func unjoin(err error) []error {
	_, single := err.(message.Messenger) //nolint:errorlint // what it wraps are its parameters
	if joined, ok := err.(interface{ Unwrap() []error }); ok && !single {
		return joined.Unwrap()
	}
	return []error{err}
}

const showKey = "browser.show"

// formerShow has the value of browser.show for each value that it had when it was a flag.
var formerShow = map[string]string{"true": ShowAlways, "false": ShowNever}

// formerShowFault says what to write in place of a flag.
func formerShowFault(value string) message.Message {
	return message.New("config.show_was_flag", "value", value, "now", formerShow[value])
}
