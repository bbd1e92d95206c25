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
// Texts are TOML basic strings, of one line or of several between three quotes.
// Only a table's name begins a line with a bracket. Keys are sorted.
//
//	{path}                      the value; a list is joined with commas
//	{path|quote}                the value in the language's quotation marks
//	{n|number}                  a whole number with separators of thousands: 10,000
//	{names|and}                 a list as in a sentence: a, b and c
//	{parts|join:; }             a list with another text between
//	{size|bytes}                a number of bytes: 1.5 MiB
//	{wait|duration}             a number of seconds: 1m30s
//	{up|span}                   a number of seconds, roughly: 2d4h
//	{n|decimal}                 digits with the decimal mark of the language: 1,5
//	{used|percent}              a number of percent, without decimals: 37 %
//	{at|time}, {at|date}       a time or a date, in the language's layout; {at|day}
//	                            has the weekday too
//	{lines|lines}               a list, one line each
//	{n|one:thing|other:things}  the text for the number's plural category (CLDR)
//	{n|0:none|other:{n} things} the text for the value; it may have holes
//	{kind|file:a file|other:it} the same for a value that is a word
//	{{                          a brace
//
// The last choice is for every other value. The number of a list is its length.
// {path|:|other: in {path}} says nothing of an empty path.
//
// A value that is a Message is said in the same language. The table [language] has
// the language's name, marks and layouts, and [unit] its units.
//
// Every file has the same codes, with the same parameters; tests check that. A
// code that a file lacks is said in English.
package i18n
