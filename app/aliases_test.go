package app

import (
	"errand/app/drafts"
	"errand/app/history"
	"errand/app/planning"
	"errand/app/replay"
	"errand/app/runs"
	"errand/app/setting"
	"errand/app/undo"
)

// Names of types that have moved to packages of their own.
type (
	Interpretation = planning.Interpretation
	Planned        = planning.Planned
	PlanRequest    = planning.Request
	Explained      = planning.Explained
	Transcript     = planning.Transcript
	Suggestion     = planning.Suggestion
	SuggestRequest = planning.SuggestRequest

	Setting = setting.Setting

	RunRequest     = runs.Request
	ApproveRequest = runs.ApproveRequest
	ApplyRequest   = runs.ApplyRequest
	ResumeRequest  = runs.ResumeRequest
	Report         = runs.Report
	Verdict        = runs.Verdict
	Progress       = runs.Progress
	StepEvent      = runs.StepEvent
	FailedAction   = runs.FailedAction
	DemoHosts      = runs.DemoHosts

	RunsQuery      = history.Query
	FoundRuns      = history.RunPage
	PruneReport    = history.PruneReport
	RecordedReport = history.RecordedReport
	OpenOptions    = history.OpenOptions
	Replay         = replay.Result
	Difference     = replay.Difference
	NotCompared    = replay.NotCompared

	Answer           = drafts.Answer
	DraftView        = drafts.View
	DraftAction      = drafts.Action
	EditRequest      = drafts.EditRequest
	IrreversibleStep = drafts.IrreversibleStep
)

const (
	FormatBundle = history.FormatBundle
	FormatOTLP   = history.FormatOTLP

	CodeDrift          = drafts.CodeDrift
	CodeConfirm        = drafts.CodeConfirm
	CodeOpenQuestions  = drafts.CodeOpenQuestions
	CodeAwaiting       = drafts.CodeAwaiting
	CodeDraftExpired   = drafts.CodeDraftExpired
	CodeDraftCancelled = drafts.CodeDraftCancelled
	CodeDraftApplied   = drafts.CodeDraftApplied
	CodeDraftApplying  = drafts.CodeDraftApplying
	CodeDraftWithheld  = drafts.CodeDraftWithheld
	CodeOtherSetting   = runs.CodeOtherSetting
	CodeUndone         = undo.CodeUndone
	CodeRunDone        = runs.CodeRunDone
	CodePageGone       = runs.CodePageGone
	CodeRecipeDrift    = runs.CodeRecipeDrift

	ActionProposed = drafts.ActionProposed
	ActionRejected = drafts.ActionRejected
	ActionDone     = drafts.ActionDone
	ActionFailed   = drafts.ActionFailed
	ActionUnknown  = drafts.ActionUnknown
)

// ErrNoAnswer is [runs.ErrNoAnswer].
var ErrNoAnswer = runs.ErrNoAnswer

// GoesOn is [runs.CanResume].
var GoesOn = runs.CanResume
