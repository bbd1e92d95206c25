package desktop

import "errand/host/tool"

var errNotYet = tool.Errorf(tool.ToolUnavailable, "not_yet", "this can't be done yet")

// Complete offers whole goals for what is typed, best first: those of the
// history, by how often and how lately they were used, then what the grammar
// knows. For no words it is the history alone. It opens no network.
func (a *API) Complete(ask CompleteAsk) ([]Completion, error) { return []Completion{}, errNotYet }

// Steps is a part of a run's steps, of the active one or one of the past.
func (a *API) Steps(ask StepsAsk) (StepsPage, error) { return StepsPage{}, errNotYet }

// Runs is a part of the history, the newest first.
func (a *API) Runs(ask RunsAsk) (RunsPage, error) {
	page := RunsPage{From: ask.From, Runs: []Line{}}
	if a.engine == nil {
		return page, nil
	}
	return page, errNotYet
}

// Replay carries a record out again, offline, and says whether it comes to the
// same. It touches nothing.
func (a *API) Replay(runID string) (Replay, error) { return Replay{}, errNotYet }

// Export writes a run down as one file.
func (a *API) Export(ask ExportAsk) (Exported, error) { return Exported{}, errNotYet }

// UndoRun proposes to take a run back, as a draft that waits. Nothing is done.
func (a *API) UndoRun(runID string) (Draft, error) { return Draft{}, errNotYet }

// DeleteRun forgets one run that has ended, with all that was written down of it.
func (a *API) DeleteRun(runID string) (Forgotten, error) { return Forgotten{}, errNotYet }

// Forget forgets the runs that are older, or counts them.
func (a *API) Forget(ask ForgetAsk) (Forgotten, error) { return Forgotten{}, errNotYet }

// Drafts lists the drafts that wait, the newest first; all: the ended ones, too.
func (a *API) Drafts(all bool) ([]Draft, error) { return []Draft{}, errNotYet }

// Draft is one draft.
func (a *API) Draft(id string) (Draft, error) { return Draft{}, errNotYet }

// Approve approves a draft and carries it out: it answers as [API.Run] does, and
// the rest comes as events.
func (a *API) Approve(ask ApproveAsk) (Run, error) { return Run{}, errNotYet }

// Deny says no to a draft, or to some of its steps; none: to all.
func (a *API) Deny(id string, steps []string) (Draft, error) { return Draft{}, errNotYet }

// EditDraft changes the arguments of a step, or leaves steps out. What was
// approved of the draft is approved no longer.
func (a *API) EditDraft(ask EditAsk) (Draft, error) { return Draft{}, errNotYet }

// AnswerDraft answers questions of a draft.
func (a *API) AnswerDraft(id string, answers []Answer) (Draft, error) { return Draft{}, errNotYet }

// Plugins lists the plugins that are there.
func (a *API) Plugins() ([]Plugin, error) { return []Plugin{}, errNotYet }

// ProposePlugin reads a plugin and says what installing it would grant. Nothing
// is changed.
func (a *API) ProposePlugin(ask PluginAsk) (PluginProposal, error) {
	return PluginProposal{}, errNotYet
}

// ProposeUpdate reads an installed plugin again from where it came from.
func (a *API) ProposeUpdate(ask UpdateAsk) (PluginProposal, error) {
	return PluginProposal{}, errNotYet
}

// InstallPlugin carries out the proposal that the person agreed to.
func (a *API) InstallPlugin(ask InstallAsk) (Plugin, error) { return Plugin{}, errNotYet }

// EnablePlugin switches an installed plugin on or off.
func (a *API) EnablePlugin(id string, on bool) (Plugin, error) { return Plugin{}, errNotYet }

// RemovePlugin takes an installed plugin out, with what was granted to it.
func (a *API) RemovePlugin(id string) error { return errNotYet }

// VerifyPlugins holds installed plugins against the lock; "": all of them.
func (a *API) VerifyPlugins(id string) ([]PluginVerified, error) {
	return []PluginVerified{}, errNotYet
}

// Policy is what holds now.
func (a *API) Policy() (Policy, error) { return Policy{}, errNotYet }

// TryURL says what policy says of a URL, stage by stage, and what would change
// it. Nothing is fetched.
func (a *API) TryURL(url string) (URLVerdict, error) { return URLVerdict{}, errNotYet }

// Grants lists the hosts that the person opened and that still open something;
// all: every one on record.
func (a *API) Grants(all bool) ([]Grant, error) { return []Grant{}, errNotYet }

// AllowHost opens a host beside the configuration.
func (a *API) AllowHost(ask AllowAsk) (Grant, error) { return Grant{}, errNotYet }

// Revoke ends a grant at once, also in a run that is under way.
func (a *API) Revoke(id string) (Grant, error) { return Grant{}, errNotYet }

// Settings is the configuration as it can be changed here.
func (a *API) Settings() (Settings, error) { return Settings{}, errNotYet }

// ChangeSettings writes changes into errand.toml, all or none, and takes them
// up. Comments and order of the file stay. A change that is not valid is in the
// answer's faults, with its line, and is no error. In safe mode it may end it.
func (a *API) ChangeSettings(changes []SettingChange) (Settings, error) {
	return Settings{}, errNotYet
}

// Doctor looks at what the program needs of this machine. It takes up to 5
// seconds.
func (a *API) Doctor() ([]Check, error) { return []Check{}, errNotYet }

// Choose lets the person choose a file or folder in a dialog, where [Boot] says
// that there are dialogs. "": nothing was chosen.
func (a *API) Choose(ask ChooseAsk) (string, error) { return "", errNotYet }

// Attend tells whether the person looks at the page, which decides whether the
// end of a run is notified.
func (a *API) Attend(looking bool) error { return errNotYet }
