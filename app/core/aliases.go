package core

import (
	"errand/app/planning"
	"errand/app/setting"
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
)

// Readable is [planning.CheckGoal].
func Readable(text string) error { return planning.CheckGoal(text) }
