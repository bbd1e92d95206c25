// Package rego decides by policies that the user writes in Rego, the language of the Open Policy
// Agent.
//
// A policy is the package errand, with those below it. Its rules are:
//
//   - deny contains message: the request is denied.
//   - ask contains message: the request needs the user's approval.
//   - allow: a call that would need approval only by default needs none.
//
// deny is stronger than ask, and ask is stronger than allow. Nothing here opens what the floor, the
// lists or the rules of the settings forbid: a [Decider] takes part in a [policy.Chain].
//
// [Input] is what the rules see. A policy that fails, or takes longer than [Limit], denies.
package rego
