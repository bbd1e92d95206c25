// Package policy decides whether something may be done. A [Decider] turns a [Request]
// into a [Decision]. It uses no DNS, no clock and no files, except through the functions
// of [Settings].
//
// A [Policy] has three layers. The strictest decision of the three counts:
//
//   - the floor ([FloorURL], [FloorAddr]): checks of the form of URLs, and of addresses,
//     which must be public. Only allow_private makes exceptions, for single addresses;
//   - the lists: allowed_domains, `!` entries, the manifest of a tool;
//   - the rules: what runs without approval, and the user's own rules.
//
// A [Chain] adds further deciders, which can only be stricter.
//
// Every zero value denies: [Verdict], [Decision], a nil or zero [Policy], [Chain].
//
// Policy denies a URL that two parsers could read differently, because the program that
// connects may use another parser. It never corrects a URL.
package policy
