// Package setting is what a run's plan and decisions depended on beside its words,
// as the run's record keeps it.
package setting

import (
	"encoding/json"
	"runtime"
	"time"

	"errand/app/config"
	"errand/host/run"
	"errand/host/tool"
	"errand/planner/installed"
	"errand/planner/interpret/filename"
	"errand/planner/interpret/followup"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// Codes of the errors of replays that callers tell apart.
const (
	CodeNoSetting  = "no_setting"  // the run was recorded without what a replay needs
	CodeBadSetting = "bad_setting" // its setting can't be taken up
)

// Setting is everything that a run's plan and policy's verdicts depended on
// beside the words: with it the run can be planned and judged again anywhere.
type Setting struct {
	Base Base       `json:"base"`
	Run  RunSetting `json:"own"`
}

// RunSetting is what is of one run alone.
type RunSetting struct {
	Allow      []string          `json:"allow"`            // host patterns
	Grants     []policy.Grant    `json:"grants,omitempty"` // that the run could use when it was planned
	Origin     plan.Origin       `json:"origin"`
	Goals      []plan.Goal       `json:"goals,omitempty"` // that were asked for in place of words
	Voice      *plan.Voice       `json:"voice,omitempty"`
	Work       string            `json:"work,omitempty"` // the folder that the user was in; empty: none, as in the window
	World      plan.World        `json:"world"`
	Entries    []filename.Entry  `json:"entries,omitempty"`   // files and folders that the words could name without an extension
	Answers    map[string]string `json:"answers,omitempty"`   // to questions about the words, by their ids
	Context    *followup.Context `json:"context,omitempty"`   // what earlier goals were about; nil: the words mean nothing of it
	Apps       installed.Answers `json:"apps,omitempty"`      // installed apps that the words were looked for in
	OwnWords   bool              `json:"own_words,omitempty"` // one of the answers was none of the choices
	PlanSource PlanSource        `json:"given,omitempty"`
	ReadBefore []tool.Untrusted  `json:"read_before,omitempty"` // by the runs that it follows
	Task       *Task             `json:"task,omitempty"`        // whose planner chose the steps
	Demo       bool              `json:"demo,omitempty"`        // names stood for the demo's pages
	Recipe     string            `json:"recipe,omitempty"`      // that was run: its name or file
	Params     map[string]string `json:"params,omitempty"`      // that it was given
	// RecipeSource is that recipe as it was then, a recipe.Recipe without secrets.
	RecipeSource json.RawMessage `json:"recipe_source,omitempty"`
	// StartedAt is when the run continued in another Base than it was planned in; zero: it did
	// not. Another policy decided about earlier steps.
	StartedAt time.Time `json:"since,omitzero"`
}

// Base is what is the same for most runs of a machine.
type Base struct {
	Version string          `json:"version"` // of the program
	OS      string          `json:"os"`      // runtime.GOOS: how paths were read
	Config  config.Snapshot `json:"config"`
	Tools   []RecordedTool  `json:"tools"` // by name; empty where nothing was planned
}

// PlanSource is where a plan came from that the planner did not make of the words in
// this setting. Empty: it did.
type PlanSource string

// What gives plans beside the words.
const (
	GivenEdit    PlanSource = "edit"    // a person changed what the planner proposed
	GivenUndo    PlanSource = "undo"    // the inverses of another run's steps
	GivenPlan    PlanSource = "plan"    // somebody else made it
	GivenTask    PlanSource = "task"    // the planner of a task made it, step by step
	GivenRecipe  PlanSource = "recipe"  // a recipe held it
	GivenEarlier PlanSource = "earlier" // the program or its configuration was another one when it was made
)

// Task is a task as a run's setting keeps it, so that the run can go on.
type Task struct {
	Kind            string          `json:"kind"` // names its planner
	State           json.RawMessage `json:"state,omitempty"`
	Limits          run.Limits      `json:"limits"`
	ContinueDenied  bool            `json:"continue_denied,omitempty"`
	ContinuePending bool            `json:"continue_pending,omitempty"`
}

// RecordedTool is what a tool said of itself, and the fingerprint of it.
type RecordedTool struct {
	tool.Spec
	Fingerprint string `json:"fingerprint"`
}

// Read reads a recorded setting. Its errors are *tool.Error with one of the codes of
// this package.
func Read(b json.RawMessage) (Setting, error) {
	var s Setting
	if len(b) == 0 || string(b) == "null" {
		return s, tool.NewError(tool.ValidationError, CodeNoSetting, message.New("setting.no_setting")).
			WithHint(message.New("setting.no_setting_hint"))
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, InvalidError(message.New("setting.unreadable", "cause", err))
	}
	if windows := s.Base.OS == "windows"; windows != (runtime.GOOS == "windows") {
		return s, InvalidError(message.New("setting.other_system", "os", s.Base.OS, "system", runtime.GOOS))
	}
	return s, nil
}

// InvalidError says why a setting can't be used.
func InvalidError(m message.Message) *tool.Error {
	return tool.NewError(tool.ValidationError, CodeBadSetting, message.New("setting.bad_setting", "cause", m))
}

// Specs are the recorded tools' own specifications.
func (s Setting) Specs() []tool.Spec {
	specs := make([]tool.Spec, len(s.Base.Tools))
	for i, t := range s.Base.Tools {
		specs[i] = t.Spec
	}
	return specs
}
