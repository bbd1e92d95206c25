// Package plan holds the nouns of planning: what a person wants ([Goal],
// [GoalSet]), what the world looks like ([World]), what can be done
// ([Capability]), and what is to be done ([Plan], [Action], [Result]).
//
// It is a pure leaf: it imports nothing of Errand and does no I/O, so that the
// planner that makes a plan and the checker that verifies it can share the
// nouns without sharing a line of reasoning.
//
// JSON names are those of the contracts the product implements: the
// GoalPlanner contract (goals, world, capabilities, plan results) and the
// planner contract of drafts, questions and risks.
package plan
