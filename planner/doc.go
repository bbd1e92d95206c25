// Package planner turns goals into the smallest plan that reaches them, by
// rules: no model, no clock, no I/O, and the same input gives the same bytes.
//
// It has two faces. [Planner.Plan] takes what a person wants ([plan.GoalSet]),
// merges it ([Merge]), and fills a whole [plan.Plan] with arguments, previews,
// reasons and risks. [Solve] takes a [plan.Problem], where goals are facts.
// Both rest on one solver.
//
// # How a plan is found
//
// Tools are actions of unit cost with facts that they require and facts that
// they cause. Without negated facts a plan is a set of tools, yet the smallest
// set is still NP-hard to find (set cover is a special case), so that smallness
// is searched for and proved, never assumed:
//
//  1. What can't be reached forward or does not matter backward is dropped.
//  2. Interchangeable tools are reduced to the best one; the sole producer of
//     a needed fact is taken at once; what is left falls into parts that share
//     nothing and are solved apart.
//  3. Disjoint cuts (sets of tools of which every plan needs one) give a lower
//     bound. Where a plan of that size is found, the cuts are the proof.
//  4. Else branch and bound closes the gap, and the proof is the exhausted
//     search.
//  5. Where facts can end, the goal falls into parts that share nothing. A part
//     whose smallest set, found as if nothing ended, can be put into an order
//     that works is done: no plan is smaller. The others are searched by A*
//     over states, and where no state has all of the goal, the largest part
//     of it is planned for.
//
// A budget counts search nodes, never time, so that a hard problem answers
// with a plan whose proof is "none" and is the same on every machine.
//
// Among plans of equal size the canonical one is returned: fewest deletes,
// then fewest effects outside the goal and its support, then the smallest
// sorted list of tool names.
package planner
