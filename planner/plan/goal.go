package plan

import (
	"encoding/json"
	"slices"

	"errand/planner/message"
)

// GoalType is the kind of a goal. The set is closed: unknown types are rejected.
type GoalType string

// The five goal types of the contract, and those of Errand's own.
const (
	BrowserSearch   GoalType = "browser_search"   // search for Query on Platform; Action applies to the results
	BrowserNavigate GoalType = "browser_navigate" // open the URL in Target; Action applies to the page
	AppLaunch       GoalType = "app_launch"       // start the app with the catalogue id, or the id of the .desktop file, in Target
	FileOperation   GoalType = "file_operation"   // apply Action to the ObjectType at the path in Target
	SystemQuery     GoalType = "system_query"     // report Target: time, battery, …
	SystemControl   GoalType = "system_control"   // set the setting in Target to Value, apply Action to the app in Target, or to the part of the desktop in ObjectType
	PageControl     GoalType = "page_control"     // apply Action to the page or the tabs that are open, see [NewTab] and the keys after it
)

// GoalTypes lists the goal types: those of the contract in its order, then Errand's own.
func GoalTypes() []GoalType {
	return []GoalType{BrowserSearch, BrowserNavigate, AppLaunch, FileOperation, SystemQuery, SystemControl, PageControl}
}

// Goal is one thing that the user wants. It is immutable once the interpreter has made it.
// Empty fields are unused and marshal as null.
type Goal struct {
	GoalType   GoalType
	Platform   string // catalogue id of a site: "youtube"
	Query      string // free text from the user's words; for a download, the file's name on the page in Target
	Target     string // URL, path, app id or the subject of a query
	Action     string // file_operation: "create", "delete" or one of [FileActions]; system_control: [SetAction]; for a page, see [PageActions]
	ObjectType string // file_operation: "file" or "folder"; system_control: [SettingType]; for a page, see [PageActions]
	GoalID     string // "g1", "g2", … in the order of the words
	Limit      int    // maximum number of listed rows; 0: not specified
	SaveTo     string // where to save the output of a page action; a folder if it ends in a separator

	Destination string // file_operation: the new path, or the folder of it if it ends in a separator; to rename, the new name
	Value       string // file_operation: the text to write; to find, the extensions: ".jpg,.png"; system_control: the new value; system_query: what is asked about
}

// OnPage reports whether a goal has an action on a page, beyond opening it.
func (g Goal) OnPage() bool {
	return g.Action != "" && (g.GoalType == BrowserSearch || g.GoalType == BrowserNavigate)
}

// The action and the object type of system_control. The key of its tools is "set_setting".
const (
	SetAction   = "set"
	SettingType = "setting"
)

// Actions of system_control on an app that runs, and the object type. The keys of their tools are
// "close_app", "switch_to_app" and so on.
const (
	CloseAction    = "close"
	SwitchToAction = "switch_to"
	MinimizeAction = "minimize"
	MaximizeAction = "maximize"
	AppType        = "app"
)

// Parts of the desktop: object types of system_control. Value has what an action takes. The key of
// their tools is "<action>_<object_type>", such as "mute_sound".
const (
	VolumeType       = "volume"       // set, to "30", or by "+10" or "-10" percent
	SoundType        = "sound"        // mute, unmute
	FrontWindow      = "window"       // minimize: the window in front
	AllWindows       = "windows"      // minimize: all windows
	MediaType        = "media"        // play, pause, stop, next, previous, identify
	ClipboardType    = "clipboard"    // set, read
	NotificationType = "notification" // show
	ScreenType       = "screen"       // lock, screenshot
	ComputerType     = "computer"     // suspend, hibernate, restart, power_off
	SessionType      = "session"      // log_out
	BrightnessType   = "brightness"   // set, like the volume
	WiFiType         = "wifi"         // turn_on, turn_off, read
	BluetoothType    = "bluetooth"    // turn_on, turn_off
	DarkModeType     = "darkmode"     // turn_on, turn_off
	QuietType        = "quiet"        // turn_on, turn_off: "do not disturb"
)

// ScreenshotScreen is the key of the goal that takes a picture of the screen. SaveTo is where the picture goes.
const ScreenshotScreen = "screenshot_" + ScreenType

// LevelTypes lists the object types whose value is a level in percent.
func LevelTypes() []string { return []string{VolumeType, BrightnessType} }

// The action and the object type of system_query that computes the calculation in Value. The key of
// its tools is "calculate_expression".
const (
	CalculateAction = "calculate"
	ExpressionType  = "expression"
)

// The actions and object types of system_query about the time in the zone in Value, and about the day in
// Value. The keys of their tools are "show_time_zone", "find_weekday" and "count_days".
const (
	ShowTimeAction = "show_time"
	ZoneType       = "zone"
	WeekdayType    = "weekday"
	CountAction    = "count"
	DaysType       = "days"
)

// AsksWithValue reports whether a goal is a question about its Value, beside its Target.
func (g Goal) AsksWithValue() bool { return g.GoalType == SystemQuery && g.ObjectType != "" }

// ControlsApp reports whether a goal is about an app that runs.
func (g Goal) ControlsApp() bool { return g.GoalType == SystemControl && g.ObjectType == AppType }

// PageActions lists the actions on a page that code depends on, as
// "<action>_<object_type>", the keys that a tool's can_achieve uses. Language files can
// add more.
func PageActions() []string {
	return []string{ReadPage, ListResults, ListLinks, ScreenshotPage, ScreenshotFullPage, SavePDF, SaveHTML, SaveText, DownloadFile, OpenExternal}
}

// Actions on a page.
const (
	ReadPage           = "read_page"            // return its text
	ListResults        = "list_results"         // list the results of a search, at most Limit
	ListLinks          = "list_links"           // list its links, at most Limit
	ScreenshotPage     = "screenshot_page"      // take a picture of the visible part
	ScreenshotFullPage = "screenshot_full_page" // take a picture of the whole page
	SavePDF            = "save_pdf"             // print it as a PDF document
	SaveHTML           = "save_html"            // save it as HTML
	SaveText           = "save_text"            // save its text
	DownloadFile       = "download_file"        // download the file at Target, or the file named Query on the page in Target
	OpenExternal       = "open_external"        // open it in the user's own browser
)

type goalJSON struct {
	GoalType   GoalType `json:"goal_type"`
	Platform   *string  `json:"platform"`
	Query      *string  `json:"query"`
	Target     *string  `json:"target"`
	Action     *string  `json:"action"`
	ObjectType *string  `json:"object_type"`
	GoalID     *string  `json:"goal_id"`
	Limit      int      `json:"limit,omitempty"`
	SaveTo     string   `json:"save_to,omitempty"`

	Destination string `json:"destination,omitempty"`
	Value       string `json:"value,omitempty"`
}

// MarshalJSON writes every field of the contract, and null for unused ones.
func (g Goal) MarshalJSON() ([]byte, error) {
	return message.EncodeJSON(goalJSON{
		g.GoalType, orNull(g.Platform), orNull(g.Query), orNull(g.Target),
		orNull(g.Action), orNull(g.ObjectType), orNull(g.GoalID), g.Limit, g.SaveTo, g.Destination, g.Value,
	})
}

// UnmarshalJSON reads a goal and rejects unknown goal types.
func (g *Goal) UnmarshalJSON(b []byte) error {
	var j goalJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	if !slices.Contains(GoalTypes(), j.GoalType) {
		return message.Error("plan_file.unknown_goal_type", "goal_type", j.GoalType, "goal_types", GoalTypes())
	}
	if j.Limit < 0 {
		return message.Error("plan_file.negative_limit", "limit", j.Limit)
	}
	*g = Goal{
		j.GoalType, orEmpty(j.Platform), orEmpty(j.Query), orEmpty(j.Target),
		orEmpty(j.Action), orEmpty(j.ObjectType), orEmpty(j.GoalID), j.Limit, j.SaveTo, j.Destination, j.Value,
	}
	return nil
}

// SetKind says how the goals of a [GoalSet] are related.
type SetKind string

// The kinds of goal sets.
const (
	Single           SetKind = "single"
	IndependentMulti SetKind = "independent_multi"
	DependentMulti   SetKind = "dependent_multi"
)

// GoalSet has all goals of one input. Deps maps a goal's id to the ids of the goals that
// must be reached first. It is empty unless Kind is [DependentMulti].
type GoalSet struct {
	Kind  SetKind             `json:"kind"`
	Goals []Goal              `json:"goals"`
	Deps  map[string][]string `json:"deps,omitempty"`
}

// NewGoalSet makes a set and derives its kind. It keeps no reference to its arguments.
func NewGoalSet(goals []Goal, deps map[string][]string) GoalSet {
	set := GoalSet{Kind: IndependentMulti, Goals: slices.Clone(goals)}
	if set.Goals == nil {
		set.Goals = []Goal{}
	}
	for id, needs := range deps {
		if len(needs) == 0 {
			continue
		}
		if set.Deps == nil {
			set.Deps = map[string][]string{}
		}
		set.Deps[id] = slices.Clone(needs)
	}
	switch {
	case len(goals) == 1:
		set.Kind = Single
	case len(set.Deps) > 0:
		set.Kind = DependentMulti
	}
	return set
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
