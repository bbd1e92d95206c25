// Package policy decides whether something may be done. A [Decider] turns a [Request]
// into a [Decision]. It is pure: it uses no DNS, no clock and no files,
// except through the function RealPath of [Settings].
//
// A [Policy] has three layers, and the strictest of them counts:
//
//   - the floor ([FloorURL], [FloorAddr]): the form of web URLs and the public
//     addresses. Only allow_private opens it, address by address;
//   - the lists: allowed_domains, `!` entries, the manifest of a tool;
//   - the rules: what runs without approval, and the user's own rules.
//
// A [Chain] adds further deciders, which can only be stricter.
//
// Every zero value denies: [Verdict], [Decision], a nil or zero [Policy], [Chain].
//
// A URL that two parsers could read differently is refused and never corrected,
// because the program that connects has another parser than this package.
package policy
