package lexicon

import "slices"

// Kind is the role of a phrase in a command. A language file lists the phrases of
// each kind under a key, see kindNames.
type Kind uint8

const (
	// Around a command.
	Lead       Kind = iota // politeness and wake words before it
	LeadGerund             // the same, followed by a gerund
	LeadAsk                // the same, or a real question: is it possible to
	Tail                   // politeness after it
	TailNow                // the same, only where no free text can end
	Filler                 // small words between a verb and its object
	Not                    // negators of the clause
	NotLast                // the same, at its end
	Void                   // the same, only of an action that is a noun: «поиск … не нужен»
	ActionNoun             // a noun for an action
	Cancel                 // takes everything back
	Repair                 // self-repair that is unmistakable
	RepairSoft             // self-repair only after a pause
	Referent               // points at something that was not said

	// Between commands.
	But // joins, and what follows may be forbidden
	And // joins clauses and list items
	To  // "… to search", only after an opening clause
	Or
	Instead
	InsteadOf // the same, in front of a command
	Step      // list numbering: first, then: belongs to no clause

	// Verbs.
	Search   // free text follows
	SearchIn // free text follows, or a site and then free text
	Play     // a search where a site is named or was just opened: play, watch
	SearchAt // a site and then free text; without a site no search: ask, check
	SearchOn // a search only where a site is named: play, watch
	LookUp   // look X up
	TypeIn   // types into the search field of the page just opened
	WriteIn  // the same; but where a site is named it would post there
	Open
	Start // opens, but means other things too: start, run
	Go    // opens; what follows is a web address rather than a file
	Show  // opens only what is known: show me gmail
	Use   // names the site to search with
	Create
	Make // creates only where a file or folder is named
	Put  // creates only where "a file" or "a folder" is said: "put notes.txt there" moves one
	Delete
	Mkdir
	Touch
	Rm
	Rmdir
	SearchGerund
	SearchInGerund
	SearchOnGerund
	OpenGerund
	GoGerund
	CreateGerund
	DeleteGerund

	// Slots.
	On        // before a site
	For       // before free text, after a site
	AsPlace   // "in the browser": says how, not what
	InApp     // before a browser that no goal can ask for
	Web       // the web at large
	Local     // this computer, which is not searched
	Carrier   // empty words before the real query: videos of
	Field     // in the search bar
	There     // before a query: on the page just opened
	ThereLast // the same after a query, if a page was opened
	Submit    // press enter
	SiteEnd   // belongs to a site's name only at the very end: google search
	Up        // look X up
	Determiner
	Definite // the determiners of what is there already
	Pronoun
	Nothing // names no object: something, anything
	Bulk    // many things, unless names follow: files, my photos
	BulkAll // all of them: everything, every
	AppNoun
	SiteNoun
	Window // after a name only
	Be     // makes a statement of a site's name

	// Pages.
	Screenshot     // takes a picture: "take a screenshot", "screenshot"
	WholePage      // of all of a page: "full page"
	ReadOut        // tells a page's text: "read", "what is written on"
	WhatSays       // the same, before a page and kSays: "what does"
	Says           // "say"
	List           // tells rows: "show", "list", "what are"
	ListCounted    // the same, where a count is said or the page was opened
	First          // before a count: "first", "top"
	Results        // what a search finds
	SingleResult   // a result in the singular
	CountedResults // the same, where a count is said: "videos", "articles"
	Links          // what a page leads to
	Save           // keeps a page in some form
	Convert        // the same, only where the form is said: "turn", "print"
	WhatsOn        // "what's on": tells the text of an address, and of nothing that only has a name
	AsPDF          // the form: "as a pdf"
	AsScreenshot   // the form: "as a picture"
	Download       // fetches a file
	PageNoun       // names a page together with its site or address
	AsName         // before the name under which something is kept
	ReadThat       // tells the text of the page just opened
	Aloud          // how a page is read, at the end
	Of             // before the page: "of", "from", "on"
	ThisPage       // the page just opened
	OwnBrowser     // says that the person's own browser is to show it
	TheFile        // a noun before an address: "the file at"

	// Files.
	Folder
	Folders
	File
	Files
	Empty   // adjectives that say nothing: new, empty
	Number  // two, three: a list follows
	Another // one more of the same type
	NameMarker
	In          // before a containing folder
	Inside      // the same, where it can't be part of a name: a folder's bare name may follow
	From        // the same, out of it
	InIt        // inside what was just created
	Vague       // no name begins like this
	Quality     // before a noun it describes and does not name: biggest, other
	With        // a folder with a file in it
	Content     // what a file is to hold; no goal can say it
	Manner      // how it is to be done; no goal can say it
	Adverb      // how, when or where; it ends the name of what is deleted, unless it is announced
	Position    // where something stands among others; alone it names nothing
	Rest        // "the rest"; in a list it names nothing
	Here        // where one is; what deletes must know where that is
	Keep        // the contrary of deleting
	When        // when it is to be done; no goal can say it
	If          // the same, and what follows belongs to it
	Subject     // whom a sentence is about
	Hurry       // the same as nothing
	Device      // the same, of a device: no page plays it
	OtherAction // actions that no goal can ask for and that surely begin a clause
	OtherThing  // things and actions outside the five kinds of goals

	// System queries.
	Ask // begins a question or a request to tell
	SystemWord
	Definition // asks what a word means, not how this machine is

	// Entries that carry a value.
	Place       // value: "~/Desktop/"
	Extension   // value: ".txt"
	Spoken      // value: the character said in words
	Suffix      // value: the top-level domain said in words
	Letter      // value: the letters of an extension, spelled aloud
	SystemKey   // value: target
	SystemExtra // value: target
	Count       // value: a number said in words
	PageAction  // value: one of [plan.PageActions]
	OwnSite     // value: the site that a verb of searching names
	Site        // value: site id
	App         // value: app id
	kinds
)

// kindNames are the keys of a language file.
var kindNames = map[string]Kind{
	"lead": Lead, "lead_gerund": LeadGerund, "lead_question": LeadAsk, "tail": Tail, "tail_now": TailNow, "filler": Filler,
	"not": Not, "not_last": NotLast, "void": Void, "deed_noun": ActionNoun, "cancel": Cancel, "repair": Repair, "repair_after_pause": RepairSoft, "referent": Referent,
	"and": And, "to": To, "or": Or, "instead": Instead, "replacing": InsteadOf, "step": Step,
	"search": Search, "search_in": SearchIn, "search_on": SearchOn, "search_at": SearchAt, "play": Play, "but": But, "bulk_all": BulkAll, "type_in": TypeIn, "write_in": WriteIn, "look_up": LookUp, "searching_in": SearchInGerund,
	"open": Open, "start": Start, "go": Go, "show": Show, "use": Use,
	"create": Create, "make": Make, "put": Put, "delete": Delete, "mkdir": Mkdir, "touch": Touch, "rm": Rm, "rmdir": Rmdir,
	"searching": SearchGerund, "searching_on": SearchOnGerund, "opening": OpenGerund, "going": GoGerund,
	"creating": CreateGerund, "deleting": DeleteGerund,
	"on": On, "for": For, "as_place": AsPlace, "in_app": InApp, "web": Web, "local": Local, "carrier": Carrier, "field": Field, "there": There, "there_last": ThereLast, "submit": Submit, "site_end": SiteEnd, "up": Up,
	"screenshot": Screenshot, "whole_page": WholePage, "read_out": ReadOut, "what_says": WhatSays, "says": Says, "list": List, "list_counted": ListCounted, "first": First,
	"results": Results, "one_result": SingleResult, "hits": CountedResults, "links": Links, "save": Save, "convert": Convert, "whats_on": WhatsOn, "as_pdf": AsPDF, "as_picture": AsScreenshot, "download": Download, "of": Of, "aloud": Aloud, "page_noun": PageNoun, "as_name": AsName, "read_that": ReadThat,
	"this_page": ThisPage, "own_browser": OwnBrowser, "the_file": TheFile,
	"determiner": Determiner, "known": Definite, "pronoun": Pronoun, "nothing": Nothing, "bulk": Bulk,
	"app_noun": AppNoun, "site_noun": SiteNoun, "window": Window, "be": Be,
	"folder": Folder, "folders": Folders, "file": File, "files": Files, "empty": Empty, "number": Number,
	"another": Another, "named": NameMarker, "in": In, "inside": Inside, "from": From, "in_it": InIt, "foreign": OtherThing,
	"vague": Vague, "quality": Quality, "with": With, "content": Content, "manner": Manner, "adverb": Adverb, "position": Position, "rest": Rest, "here": Here, "keep": Keep, "when": When, "if": If, "subject": Subject, "hurry": Hurry, "deed": OtherAction, "device": Device, "ask": Ask, "system_word": SystemWord, "definition": Definition,
}

// Verbs by the frame that reads what follows them.
var (
	SearchVerbs = []Kind{Search, SearchIn, SearchAt, SearchOn, Play, LookUp, TypeIn, WriteIn, SearchGerund, SearchInGerund, SearchOnGerund}
	OpenVerbs   = []Kind{Open, Start, Go, Show, OpenGerund, GoGerund}
	createVerbs = []Kind{Create, Make, Put, Mkdir, Touch, CreateGerund}
	DeleteVerbs = []Kind{Delete, Rm, Rmdir, DeleteGerund}
	FileVerbs   = []Kind{Create, Make, Put, Delete}
	Verbs       = slices.Concat(SearchVerbs, OpenVerbs, createVerbs, DeleteVerbs)
)

// IsGerund reports whether phrases of a kind are gerunds. They count only after
// words that want one: "would you mind opening".
func IsGerund(k Kind) bool {
	switch k {
	case SearchGerund, SearchInGerund, SearchOnGerund, OpenGerund, GoGerund, CreateGerund, DeleteGerund:
		return true
	}
	return false
}
