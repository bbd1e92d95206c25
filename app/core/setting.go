package core

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"time"

	"errand/app/config"
	"errand/app/demo"
	"errand/app/plugins"
	"errand/app/secrets"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner"
	"errand/planner/interpret"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// Codes of the errors of replays that callers tell apart.
const (
	CodeNoSetting  = "no_setting"  // the run was recorded without what a replay needs
	CodeBadSetting = "bad_setting" // its setting can't be taken up
)

// Setting is everything that a run's plan and policy's verdicts depended on
// beside the words: with it the run can be planned and judged again anywhere.
type Setting struct {
	Base Base `json:"base"`
	Own  Own  `json:"own"`
}

// Own is what is of one run alone.
type Own struct {
	Allow    []string          `json:"allow"`            // host patterns
	Grants   []policy.Grant    `json:"grants,omitempty"` // that the run could use when it was planned
	Voice    *plan.Voice       `json:"voice,omitempty"`
	World    plan.World        `json:"world"`
	Answers  map[string]string `json:"answers,omitempty"`   // to questions about the words, by their ids
	OwnWords bool              `json:"own_words,omitempty"` // one of the answers was none of the choices
	Given    Given             `json:"given,omitempty"`
	Demo     bool              `json:"demo,omitempty"`   // names stood for the demo's pages
	Recipe   string            `json:"recipe,omitempty"` // that was run: its name or file
	Params   map[string]string `json:"params,omitempty"` // that it was given
	// RecipeSource is that recipe as it was then, a recipe.Recipe without secrets.
	RecipeSource json.RawMessage `json:"recipe_source,omitempty"`
	// Since is when the run went on in another Base than it was planned in. Zero:
	// it did not. What was judged before was judged by another policy.
	Since time.Time `json:"since,omitzero"`
}

// Base is what is the same for most runs of a machine.
type Base struct {
	Version string          `json:"version"` // of the program
	OS      string          `json:"os"`      // runtime.GOOS: how paths were read
	Config  config.Snapshot `json:"config"`
	Tools   []RecordedTool  `json:"tools"` // by name; empty where nothing was planned
}

// Given is where a plan came from that the planner did not make of the words in
// this setting. Empty: it did.
type Given string

// What gives plans beside the words.
const (
	GivenEdit    Given = "edit"    // a person changed what the planner proposed
	GivenUndo    Given = "undo"    // the inverses of another run's steps
	GivenRecipe  Given = "recipe"  // a recipe held it
	GivenEarlier Given = "earlier" // the program or its configuration was another one when it was made
)

// RecordedTool is what a tool said of itself, and the fingerprint of it.
type RecordedTool struct {
	tool.Spec
	Fingerprint string `json:"fingerprint"`
}

// setting is what a run is planned in, as it is recorded: without secrets. The
// allowed hosts and the grants are the program's.
func (a *App) setting(runID string, specs []tool.Spec, own Own) (json.RawMessage, error) {
	snapshot, err := config.Take(a.conf)
	if err != nil {
		return nil, fmt.Errorf("record the setting: %w", err)
	}
	base := Base{Version: Version, OS: runtime.GOOS, Config: snapshot, Tools: []RecordedTool{}}
	for _, spec := range specs {
		base.Tools = append(base.Tools, RecordedTool{spec, spec.Fingerprint()})
	}
	if own.Allow = a.o.Allow; own.Allow == nil {
		own.Allow = []string{}
	}
	own.Grants, own.Demo = a.grantsOf(runID), a.o.Demo
	return spell(a.vault.CleanerOf(runID), base, own)
}

// spell writes both parts of a setting, without secrets.
func spell(c secrets.Cleaner, base, own any) (json.RawMessage, error) {
	var parts struct {
		Base json.RawMessage `json:"base"`
		Own  json.RawMessage `json:"own"`
	}
	var err1, err2 error
	parts.Base, err1 = c.JSONInOrder(base)
	parts.Own, err2 = c.JSONInOrder(own)
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("record the setting: %w", err)
	}
	return json.Marshal(parts)
}

// resumed is the setting of a run that goes on: its own part as it was, in the
// program as it is now. Nil, which leaves the record's as it is, where nothing
// changed or nothing was recorded.
func (a *App) resumed(runID string, earlier json.RawMessage, specs []tool.Spec) (json.RawMessage, error) {
	was, err := readSetting(earlier)
	if err != nil {
		return nil, nil // an old record, which can't be replayed anyway
	}
	b, err := a.setting(runID, specs, was.Own)
	if err != nil {
		return nil, err
	}
	now, err := readSetting(b)
	if err != nil || reflect.DeepEqual(was.Base, now.Base) && slices.Equal(was.Own.Allow, now.Own.Allow) && slices.Equal(was.Own.Grants, now.Own.Grants) {
		return nil, err
	}
	now.Own.Given, now.Own.Since = cmp.Or(was.Own.Given, GivenEarlier), a.now().UTC()
	return spell(a.vault.CleanerOf(runID), now.Base, now.Own)
}

// rested is a setting with the grants that steps rest on and that came after the
// run was planned. Nil, which leaves the record's as it is, where there are none
// or nothing was recorded.
func (a *App) rested(runID string, setting json.RawMessage, steps []trace.Step) (json.RawMessage, error) {
	var ids []string
	for _, s := range steps {
		ids = append(ids, policy.Decision{Flags: s.PolicyFlags}.Grants()...)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	s, err := readSetting(setting)
	if err != nil {
		return nil, nil // an old record, which can't be replayed anyway
	}
	before := len(s.Own.Grants)
	for _, g := range a.grantsOf(runID) {
		known := slices.ContainsFunc(s.Own.Grants, func(k policy.Grant) bool { return k.ID == g.ID })
		if slices.Contains(ids, g.ID) && !known {
			s.Own.Grants = append(s.Own.Grants, g)
		}
	}
	if len(s.Own.Grants) == before {
		return nil, nil
	}
	return spell(a.vault.CleanerOf(runID), s.Base, s.Own)
}

// given is a recorded setting whose plan the planner did not make; nil where
// nothing was recorded.
func (a *App) given(runID string, earlier json.RawMessage, by Given) (json.RawMessage, error) {
	s, err := readSetting(earlier)
	if err != nil {
		return nil, nil // an old record, which can't be replayed anyway
	}
	s.Own.Given = by
	return spell(a.vault.CleanerOf(runID), s.Base, s.Own)
}

// readSetting reads what setting wrote.
func readSetting(b json.RawMessage) (Setting, error) {
	var s Setting
	if len(b) == 0 || string(b) == "null" {
		return s, tool.Errorf(tool.ValidationError, CodeNoSetting, "the run was recorded without the setting that it was planned in").
			WithHint("only runs of a newer version of the program can be replayed; errand show prints what was recorded")
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, badSetting("it can't be read: %v", err)
	}
	if windows := s.Base.OS == "windows"; windows != (runtime.GOOS == "windows") {
		return s, badSetting("paths of %s are not those of %s", s.Base.OS, runtime.GOOS)
	}
	return s, nil
}

func badSetting(format string, args ...any) *tool.Error {
	return tool.Errorf(tool.ValidationError, CodeBadSetting, "take up the recorded setting: "+format, args...)
}

// specs are the recorded tools' own words.
func (s Setting) specs() []tool.Spec {
	specs := make([]tool.Spec, len(s.Base.Tools))
	for i, t := range s.Base.Tools {
		specs[i] = t.Spec
	}
	return specs
}

// open is the program as it stood when the run was planned: it interprets,
// plans and judges, and has no store, no network, no browser and no plugin. Its
// clock stands at the given time.
func (s Setting) open(at time.Time) (*App, error) {
	conf, err := s.Base.Config.Load()
	if err != nil {
		return nil, badSetting("%v", err)
	}
	gate, err := conf.Gate.WithAllowed(s.Own.Allow...)
	if err != nil {
		return nil, badSetting("%v", err)
	}
	reader, err := interpret.New(conf.Catalogue, interpret.Options{DefaultPlatform: conf.Search.DefaultPlatform})
	if err != nil {
		return nil, badSetting("%v", err)
	}
	a := &App{
		conf: conf, gate: gate, reader: reader, planner: planner.New(conf.Catalogue), vault: secrets.NewVault(conf.Policy.Redaction),
		now: func() time.Time { return at }, newID: func() string { return "" }, parts: noParts(),
		grants:  func() []policy.Grant { return slices.Clone(s.Own.Grants) },
		plugins: plugins.New(plugins.Options{Config: conf, Client: refused[plugins.ClientFor]}),
	}
	return a, nil
}

// plan interprets words and plans them as the recorded run did.
func (s Setting) plan(ctx context.Context, a *App, text string) (Planned, error) {
	caps := capabilitiesOf(s.specs())
	return a.Plan(ctx, PlanRequest{Text: text, Voice: s.Own.Voice, Answers: s.Own.Answers, World: &s.Own.World, Capabilities: caps})
}

// noParts refuse to be opened: nothing of a replay may come near them.
func noParts() parts {
	return parts{
		storage: refused[*store.Store], site: refused[*demo.Site], guard: refused[*guard.Guard],
	}
}

func refused[T any]() (T, error) {
	var none T
	return none, tool.Errorf(tool.ToolUnavailable, "replaying", "a replay opens nothing of this machine")
}
