// Package plan has the types of planning: what the user wants ([Goal], [GoalSet]), the
// current state ([World]), the available tools ([Capability]), and the outcome ([Plan],
// [Action], [Result]).
//
// It imports no other package of Errand and does no I/O. The planner and the package that
// verifies its plans share these types but no logic.
//
// JSON names follow two contracts: the GoalPlanner contract (goals, world, capabilities,
// plan results) and the planner contract (drafts, questions, risks).
package plan
