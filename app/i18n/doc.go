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
//	{size|bytes}                a number of bytes: 1.5 MiB
//	{wait|duration}             a number of seconds: 1m30s
//	{lines|lines}               a list, one line each
//	{n|one:thing|other:things}  the text for the number's plural category (CLDR)
//	{n|0:none|other:{n} things} the text for the value; it may have values in it
//	{kind|file:a file|other:it} the same for a value that is a word
//	{{                          a brace
//
// The last choice is for every other value. It is called "other", or it is the last
// plural category of the language. The number of a list is its length.
//
// A value that is a Message is said in the same language. The table [language] has
// the language's name and marks, and [unit] its units.
//
// Every file has the same codes, with the same parameters; tests check that. A
// code that a file lacks is said in English.
package i18n
