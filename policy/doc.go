// Package policy answers one question: may this be done? A [Request] goes in,
// a [Decision] comes out, and nothing else happens: no DNS, no clock, no file.
//
// Three layers speak, the strictest word counts:
//
//   - the floor ([FloorURL], [FloorAddr]): what a web URL may look like and
//     which addresses are public. Only allow_private opens it, address by
//     address;
//   - the lists: allowed_domains, `!` entries, a tool's own manifest;
//   - the business: who may act unasked, and the person's rules.
//
// The zero value of everything denies: [Verdict], [Decision], a nil or zero
// [Policy].
//
// A host is never mended. A URL that two parsers could read in two ways is
// refused, because the one who checks and the one who connects are two
// parsers.
package policy
