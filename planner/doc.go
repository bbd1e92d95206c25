// Package planner turns goals into the smallest plan that reaches them, by
// rules: no model, no clock, no I/O. The same input gives the same bytes.
//
// [Planner.Plan] takes what a user wants ([plan.GoalSet]), merges it ([Merge]),
// and makes a whole [plan.Plan] with arguments, previews, reasons and risks.
// [Solve] takes a [plan.Problem], where goals are facts. Both leave the search
// to package solve.
package planner
