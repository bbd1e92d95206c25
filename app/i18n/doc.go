// Package i18n has the texts of everything that the program says, by language.
// A language is one file, such as en.toml, and nothing else: lower packages name
// codes (package message), and faces turn them into text with [Language].
//
// # Format of a language file
//
// A file has tables, one for each area, with a text for each code of the area:
//
//	[files]
//	not_a_folder = "{path} is not a folder"
//	holds = "it holds {n} {n|one:thing|other:things}"
//
// Texts are TOML basic strings, of several lines between three quotes.
//
//	{path}                      the value
//	{path|quote}                the value in the language's quotation marks
//	{n|number}                  a whole number with separators of thousands: 10,000
//	{names|and}                 a list as in a sentence: a, b and c
//	{parts|join:; }             a list with another text between
//	{size|bytes}                a number of bytes: 1.5 MiB
//	{wait|duration}             a number of seconds: 1m30s
//	{at|time}, {day|date}       a time or a date, in the language's layout
//	{up|span}                   a number of seconds, roughly: 2d4h
//	{used|percent}              a number of percent, without decimals: 37 %
//	{lines|lines}               a list, one line each
//	{n|one:thing|other:things}  a form for the number's plural category (CLDR)
//	{kind|file:a file|other:it} a text for the value
//	{{                          a brace
//
// A list is joined with commas. A value that is a Message is said in the same
// language. A text for a value may have holes: {path|:|other: in {path}} says
// nothing of an empty path. The table [language] has the language's name, marks
// and layouts, and [unit] its units.
//
// Every file has the same codes, with the same parameters; tests check that. A
// code that a file lacks is said in English.
package i18n
