package lexicon

import (
	"slices"
	"sync"
)

// Kind is the role of a phrase in a command. A language file lists the phrases of
// each kind under a key, see kindNames.
type Kind uint16

const (
	// Before and after a command.
	Lead       Kind = iota // politeness and wake words before it
	Wake                   // a name by which the user addresses the program
	Greeting               // wants an answer in words: "hello"
	Thanks                 // the same: "thank you"
	Help                   // asks what the program can do
	AskUndo                // asks to undo an earlier run
	AskHistory             // asks what was done
	AskDrafts              // asks what waits for an approval, or approves it
	RunVerb                // a verb for what earlier runs did or drafts hold: "undo", "approve"
	LeadGerund             // the same, followed by a gerund
	LeadAsk                // the same, or a real question: is it possible to
	Tail                   // politeness after it
	TailNow                // the same, only where no free text can end
	Filler                 // small words between a verb and its object
	Not                    // negators of the clause
	NotLast                // the same, at its end
	Void                   // the same, only of an action that is a noun: «поиск … не нужен»
	ActionNoun             // a noun for an action
	Cancel                 // cancels the text before it
	Repair                 // self-repair that is unmistakable
	RepairSoft             // self-repair only after a pause
	Referent               // refers to something that was not mentioned

	// Between commands.
	But  // joins; the command that follows may be forbidden
	And  // joins clauses and list items
	Then // in a joint: what follows is done after what stands before
	To   // "… to search", only after an opening clause
	Or
	Instead
	InsteadOf // the same, in front of a command
	Step      // list numbering, such as first, then; belongs to no clause

	// Verbs.
	Search   // free text follows
	SearchIn // free text follows, or a site and then free text
	Play     // a search where a site is named or was just opened: play, watch
	SearchAt // a site and then free text; without a site no search: ask, check
	SearchOn // a search only where a site is named: play, watch
	LookUp   // look X up
	TypeIn   // types into the search field of the page just opened
	WriteIn  // the same; with a site it would mean posting there
	Open
	Start // opens, but has other meanings too: start, run
	Go    // opens; a web address rather than a file follows
	Show  // opens only known names: show me gmail
	Use   // names the site to search with
	Create
	Make // creates only where a file or folder is named
	Put  // creates only with "a file" or "a folder": "put notes.txt there" moves one
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
	On           // before a site
	For          // before free text, after a site
	AsPlace      // "in the browser": how, not what
	ThisMachine  // "on my computer"
	InApp        // before a browser that goals can't select
	Web          // the web at large
	Local        // this computer, which can't be searched
	Carrier      // empty words before the real query: information about
	CarrierMedia // the same on a site that has nothing else: videos of
	Field        // in the search bar
	Typing       // verbs of putting words into a field: "type"
	IntoField    // before the name of a field: "into the"
	FieldNoun    // a field of a form: "field", "textbox"
	There        // before a query: on the page just opened
	ThereLast    // the same after a query, if a page was opened
	ThatPlace    // a place that was spoken of: there
	ThereIdiom   // words with the same word that name no place: hello there
	Submit       // press enter
	SiteEnd      // part of a site's name only at the end: google search
	Up           // look X up
	Determiner
	Definite // determiners of existing things
	Pronoun
	Nothing // refers to no object: something, anything
	Bulk    // many things, unless names follow: files, my photos
	BulkAll // all of them: everything, every
	AppNoun
	SiteNoun
	Window // after a name only
	Be     // turns a site's name into a statement

	// Queries.
	NotBare       // makes a short text a command or a remark and not the name of a thing: "clear cache"
	NoStart       // can't begin a query unless "for" precedes it
	Interrogative // begins a question: "how"
	AfterSite     // between a site and a query: "google images of cats"
	SiteSays      // before a site, asks what it says: "what does"
	SaysAbout     // after such a site: "say about"
	About         // between what a site has and its matter: "about"
	SiteThing     // what a site has: "article"
	SiteMatter    // after a site's name, is about the site and not a query: "stock"
	FunctionWord  // says nothing by itself: an article, a pronoun, an auxiliary verb, a question word
	Finite        // a verb that makes a statement, or begins a question: "is"
	OnSite        // before a site, and before little else
	Back          // refers to what was just said: "its", "one of them"
	PlaceNoun     // makes the words beside it the name of a site or an app
	BrowserPart   // a part of the user's browser: "tab"
	Generic       // a noun that names nothing without its context: "the item"
	Private       // the user's own data, which no site has: "contacts"
	Mine          // "my"
	OwnNoun       // a thing of the user, where nothing else follows than what it is like: "passwords"
	OwnDocument   // the same, a file
	OwnMedia      // the same, only with words about the user or where it is from: "photos of my dog"
	OwnPlace      // a place with things of the user, if "for" follows: "history"
	OwnPaper      // papers that people have pictures of: "passport"
	OwnWork       // papers and lists of the user, where only a number or a time follows: "invoice"
	Account       // what the user has at a site and not as a file: "account"
	Only          // "only"
	Hesitation    // a sound or word of somebody who thinks: "uh"
	OwnDeed       // what the user did with a thing of theirs: "i saved"
	Downloaded    // that the user downloaded a thing
	InName        // after a part of a name: "in the name"
	LooseOrder    // words for an order that only describe: "big"
	Relative      // before what somebody did: "that", "what"
	Myself        // "me"
	Seek          // verbs of looking for a thing, which may be the user's own
	RequestMe     // begins another request in any query: "tell me"
	Request       // begins another request in a query, unless that asks a question: "provide"
	RequestNoun   // the same if an object follows: "sort by price"
	Abbreviation  // a full stop after it ends no sentence

	// Pages.
	Screenshot     // takes a picture: "take a screenshot", "screenshot"
	WholePage      // of all of a page: "full page"
	ReadOut        // returns a page's text: "read", "what is written on"
	WhatSays       // the same, before a page and kSays: "what does"
	Says           // "say"
	List           // lists rows: "show", "list", "what are"
	ListCounted    // the same, with a count or after a page was opened
	First          // before a count: "first", "top"
	Results        // the results of a search
	SingleResult   // a result in the singular
	CountedResults // the same, with a count: "videos", "articles"
	Links          // the links of a page
	LinkTo         // asks for the address of a site: "give me the link to"
	Save           // saves a page in some form
	Convert        // the same, only if the form is given: "turn", "print"
	WhatsOn        // "what's on": returns the text of an address, but not of a name
	AsPDF          // the form: "as a pdf"
	AsScreenshot   // the form: "as a picture"
	AsHTML         // the form: "as html"
	AsText         // the form: "as text"
	Download       // fetches a file
	PageNoun       // forms the name of a page together with its site or address
	AsName         // before the name of the saved file
	ReadThat       // returns the text of the page just opened
	Aloud          // how a page is read, at the end
	Of             // before the page: "of", "from", "on"
	ThisPage       // the page just opened
	OwnBrowser     // asks for the user's own browser
	TheFile        // a noun before an address: "the file at"

	// Files.
	Folder
	Folders
	File
	Files
	Empty   // adjectives without effect: new, empty
	Number  // two, three: a list follows
	Another // one more of the same type
	NameMarker
	NamesFor     // names of several things follow: "folders for january and february"
	In           // before a containing folder
	Inside       // the same, where it can't be part of a name: the bare name of a folder may follow
	From         // the same, out of it
	Source       // before the place that something is taken from: "from"
	Destination  // before the place that something goes to: "to"
	Located      // before the place where something is: "in"
	Article      // before a name, and no part of it: "the"
	TextNoun     // before a text to write: "the line"
	ContentsNoun // what is in a folder: "files and folders", "contents"
	FileNoun     // a noun for a file before its name: "document"
	Emptying     // verbs of removing what is in something: "wipe", "clear"
	ContentsOf   // the same after a verb of deleting: "the contents of"
	Forever      // a deletion that can't be undone or that asks nothing: "permanently"
	ComputedOf   // the same, with more words: "the contents of"
	PartNoun     // parts of a file's text: "lines"
	EndOf        // before the file that a text is added to: "to the end of"
	AsArchive    // into what things are packed: "into a zip"
	TextLink     // between a verb and a text to write: "that"
	ToTrash      // "to the trash"
	Original     // what a copy or an archive was made of: "the original"
	Product      // what was made: "the copy"
	Archive      // the packed one of two things: "the zip"
	Mention      // before a thing that the next command is about: "i need"
	IfMention    // the same in a condition: "if there is"
	Exists       // after such a thing: "exists"
	IfThere      // a condition that every command about an existing thing has: "if it exists"
	IfMissing    // the same for a new thing: "if it doesn't exist"
	PutAway      // deletes, or moves where a place to go to follows: «убери»
	ToPlace      // a known folder as a place to go to, where the language tells it from one where something is: «в документы»
	TakesUp      // after what is measured: "take up"
	AsksWhere    // begins a question for the place of a thing: "where is"
	SameAgain    // what was said before: "the same thing"
	Computed     // begins a text whose meaning has to be looked up: "today's date"
	InIt         // inside what was just created
	Vague        // can't start a name
	Quality      // before a noun, describes and doesn't name it: biggest, other
	With         // a folder with a file in it
	Content      // the content of a file; goals can't express it
	Manner       // the manner of an action; goals can't express it
	Adverb       // how, when or where; ends the name of a file to delete unless "called" precedes it
	Position     // the position among others; not a name by itself
	Rest         // "the rest"; not a name in a list
	Here         // the working folder
	Elsewhere    // a place that is not on this computer: "in google drive"
	Contents     // with everything in it
	Keep         // the opposite of deleting
	When         // the time of an action; goals can't express it
	If           // the same, including what follows
	Subject      // the subject of a sentence
	Hurry        // no meaning
	Device       // no meaning, and the device isn't a page that plays something
	OtherAction  // actions that goals can't express and that certainly start a clause
	ControlThing // what can be set on a desktop and not by goals: "the volume"
	OtherThing   // things and actions outside the five kinds of goals

	// Settings.
	SetVerb     // sets something: "use", "change"
	SetTo       // before the value: "to"
	SetAs       // before the setting: "as"
	SetNow      // says that a setting stays: "from now on"
	SetDefault  // the same, but a query may end in it: "by default"
	SetSearch   // before a search engine, sets it: "always search"
	HabitVerb   // does what a default site is for: "play"
	HabitNow    // says that it is done so from now on: "always"
	SetLanguage // before a language: "speak"
	Percent     // after a number: "percent"

	// The open page, and tabs.
	OnThisPage   // at the end: "on this page"
	OpenPage     // names the open page, and not only as "it": "this page"
	NthVerb      // before an ordinal and a noun: "open"
	ResultNoun   // what a page of results has: "result"
	LinkNoun     // "link"
	TabNoun      // "tab"
	NumberNoun   // before a number: "number"
	TabVerb      // before a tab: "switch to"
	CloseTabVerb // before a tab: "close"
	TimesNoun    // after a number: "times"
	ZoomTo       // before a number: "zoom to"
	ClickVerb    // before what is clicked: "click"
	PressVerb    // the same, only with a noun or a key: "press"
	ChooseVerb   // the same, only with a noun: "select"
	ControlNoun  // "button"
	KeyNoun      // after the name of a key: "key"
	FindVerb     // before a text on this page: "find"
	FindHere     // the same, and names the page: "search this page for"
	ScrollTo     // before a text on the page: "scroll to"
	WordNoun     // before such a text: "the word"
	TypeVerb     // before a text for a field: "type"
	FieldWord    // a field of a form, after its name or before "called": "field"
	FieldFirst   // the same, right before its name
	SecretField  // a field that no words fill: "password"

	// Timers.
	Timed      // may say when something is due, or name a timer: "every", "remind"; package moment reads the rest
	TimedFirst // the same, only at the beginning or before a number: "in", "at"
	Dated      // may ask about a day, or the time elsewhere: "days"; package almanac reads the rest

	// Playing.
	PlayVerb    // verbs of [Play] that play something and nothing else: "listen to"
	PutOn       // the same, which may turn on a device as well: "put on"
	MediaNoun   // what is played: "song"
	MediaStyle  // a kind of music: "jazz"
	MediaAmount // before it: "some"
	PlayTail    // after a title, how or where to play it: "on repeat"
	By          // before the author: "by"
	NotMedia    // words that no title begins with: "next"

	// Topics, which a search answers.
	TopicLead // before a topic: "show me the", "what is the"
	TopicAt   // before the place or the matter of a topic: "in", "about"
	TopicWhen // the time of a topic: "tomorrow"
	TopicFill // between a topic and its place, without effect: "like"
	TopicTo   // between two currencies: "to"
	RouteFrom // before the place where a route begins: "from"
	RouteTo   // before the place where it ends: "to"

	// System queries.
	AskHow // begins a question about how one does something: "how do i"
	Ask    // begins a question or a request to tell
	SystemWord
	NotSystem  // makes a question one about other things than this machine: "which batteries"
	Definition // asks for the meaning of a word, not about this machine

	// Entries that carry a value.
	Place         // value: "~/Desktop/"
	Extension     // value: ".txt"
	Spoken        // value: the character that the word spells
	Suffix        // value: the top-level domain that the word spells
	Letter        // value: the letters of a spelled extension
	SystemKey     // value: target
	SystemExtra   // value: target
	Count         // value: the number that the word spells
	PageAction    // value: one of [PageActions]
	FileAction    // value: one of [plan.FileActions]
	FileKind      // value: the extensions of a kind of files: ".jpg,.png"
	OneFileKind   // the same for one file, after words that choose it: "the newest photo"
	FileFilter    // value: a part of a [plan.FileFilter]: "after:today"; one that ends in a colon is completed by what follows
	Unit          // value: a unit of time or size: "d", "mb"
	FolderName    // value: "~/Pictures/"; the folder before a slash: "pictures/2026"
	OwnFolder     // value: "~/Downloads/"; the folder without a preposition: "my downloads"
	TopicNoun     // value: topic; a topic by itself: "the weather"
	TopicOf       // value: topic; its matter follows: "the meaning of"
	TopicVerb     // value: topic; its matter follows, and no lead precedes it: "define"
	TopicOpen     // value: topic; before its matter, and TopicClose after it: "what does … mean"
	TopicClose    // value: topic
	Money         // value: code of a currency
	TravelMode    // value: how to travel, as a site's form for directions takes it: "walking"
	OtherGoal     // value: what the refusal is about; begins what goals can't express: "buy"
	SmallTalk     // value: the answer; a remark or a question that wants words only
	Control       // value: a key of [Templates.Controls]; the command, or the words before what it takes: "mute", "close"
	ControlOpen   // value: the same; before what a command takes, if ControlClose follows it: "copy"
	ControlClose  // value: the same; the end of such a command: "to the clipboard"
	Reworded      // value: a command in other words: "do i need an umbrella"
	RewordedStart // value: the same, with {} for the words that follow: "how many mb is"
	RewordedOpen  // value: the same, for the words up to RewordedClose: "when was"
	RewordedClose // value: the same; the end of such a command: "last changed"
	ActGerund     // value: the verb of a [FileAction]; counts only after words that want a gerund: "moving"
	FollowUp      // value: the part that it has in a goal about earlier ones: "it", "again"
	SettingNoun   // value: key of a setting: "search engine"
	SettingMatter // value: key of a setting; what it is for: "music"
	Language      // value: tag of a language: "russian"
	PageControl   // value: an action of page_control, and after a colon what of it: "scroll_page:down"; the whole command
	Ordinal       // value: a number, or last: "second"
	Repeat        // value: how often: "twice"
	KeyName       // value: a key, as browser.press takes it: "Enter"
	OwnSite       // value: the site that a search verb implies
	Site          // value: site id
	App           // value: app id
	kinds
)

// kindNames are the keys of a language file. The built-in vocabulary needs none of them.
var kindNames = sync.OnceValue(func() map[string]Kind {
	return map[string]Kind{
		"lead": Lead, "wake": Wake, "greeting": Greeting, "thanks": Thanks, "help": Help, "ask_undo": AskUndo, "ask_history": AskHistory, "ask_drafts": AskDrafts, "run_verb": RunVerb, "lead_gerund": LeadGerund, "lead_question": LeadAsk, "tail": Tail, "tail_now": TailNow, "filler": Filler,
		"not": Not, "not_last": NotLast, "void": Void, "deed_noun": ActionNoun, "cancel": Cancel, "repair": Repair, "repair_after_pause": RepairSoft, "referent": Referent,
		"and": And, "then": Then, "to": To, "or": Or, "instead": Instead, "replacing": InsteadOf, "step": Step,
		"search": Search, "search_in": SearchIn, "search_on": SearchOn, "search_at": SearchAt, "play": Play, "but": But, "bulk_all": BulkAll, "type_in": TypeIn, "write_in": WriteIn, "look_up": LookUp, "searching_in": SearchInGerund,
		"open": Open, "start": Start, "go": Go, "show": Show, "use": Use,
		"create": Create, "make": Make, "put": Put, "delete": Delete, "mkdir": Mkdir, "touch": Touch, "rm": Rm, "rmdir": Rmdir,
		"searching": SearchGerund, "searching_on": SearchOnGerund, "opening": OpenGerund, "going": GoGerund,
		"creating": CreateGerund, "deleting": DeleteGerund,
		"on": On, "for": For, "as_place": AsPlace, "this_machine": ThisMachine, "in_app": InApp, "web": Web, "local": Local, "carrier": Carrier, "carrier_media": CarrierMedia, "field": Field, "typing": Typing, "into_field": IntoField, "field_noun": FieldNoun, "there": There, "there_last": ThereLast, "that_place": ThatPlace, "there_idiom": ThereIdiom, "submit": Submit, "site_end": SiteEnd, "up": Up,
		"screenshot": Screenshot, "whole_page": WholePage, "read_out": ReadOut, "what_says": WhatSays, "says": Says, "list": List, "list_counted": ListCounted, "first": First,
		"results": Results, "one_result": SingleResult, "hits": CountedResults, "links": Links, "link_to": LinkTo, "save": Save, "convert": Convert, "whats_on": WhatsOn, "as_pdf": AsPDF, "as_picture": AsScreenshot, "as_html": AsHTML, "as_text": AsText, "download": Download, "of": Of, "aloud": Aloud, "page_noun": PageNoun, "as_name": AsName, "read_that": ReadThat,
		"this_page": ThisPage, "own_browser": OwnBrowser, "the_file": TheFile,
		"not_bare": NotBare, "no_start": NoStart, "site_says": SiteSays, "says_about": SaysAbout, "about": About, "site_thing": SiteThing, "site_matter": SiteMatter, "finite": Finite, "question_word": Interrogative, "function_word": FunctionWord, "after_site": AfterSite, "on_site": OnSite, "back": Back, "place_noun": PlaceNoun, "browser_part": BrowserPart, "generic": Generic, "private": Private, "own_noun": OwnNoun, "own_document": OwnDocument, "own_media": OwnMedia, "own_place": OwnPlace, "own_paper": OwnPaper, "own_work": OwnWork, "account": Account, "only": Only, "own_deed": OwnDeed, "hesitation": Hesitation, "downloaded": Downloaded, "loose_order": LooseOrder, "in_name": InName, "relative": Relative, "myself": Myself, "mine": Mine, "seek": Seek,
		"request_me": RequestMe, "request": Request, "request_noun": RequestNoun, "abbreviation": Abbreviation,
		"determiner": Determiner, "known": Definite, "pronoun": Pronoun, "nothing": Nothing, "bulk": Bulk,
		"app_noun": AppNoun, "site_noun": SiteNoun, "window": Window, "be": Be,
		"folder": Folder, "folders": Folders, "file": File, "files": Files, "empty": Empty, "number": Number,
		"another": Another, "named": NameMarker, "names_for": NamesFor, "in": In, "inside": Inside, "from": From, "source": Source, "destination": Destination, "located": Located, "article": Article, "text_noun": TextNoun, "contents_noun": ContentsNoun, "file_noun": FileNoun, "emptying": Emptying, "contents_of": ContentsOf, "forever": Forever, "to_trash": ToTrash, "end_of": EndOf, "part_noun": PartNoun, "as_archive": AsArchive, "text_link": TextLink, "original": Original, "product": Product, "archive": Archive, "mention": Mention, "if_mention": IfMention, "exists": Exists, "if_there": IfThere, "if_missing": IfMissing, "same_again": SameAgain, "asks_where": AsksWhere, "put_away": PutAway, "to_place": ToPlace, "takes_up": TakesUp, "computed": Computed, "computed_of": ComputedOf, "in_it": InIt, "foreign": OtherThing,
		"vague": Vague, "quality": Quality, "with": With, "content": Content, "manner": Manner, "adverb": Adverb, "position": Position, "rest": Rest, "here": Here, "elsewhere": Elsewhere, "contents": Contents, "keep": Keep, "when": When, "if": If, "subject": Subject, "hurry": Hurry, "deed": OtherAction, "device": Device, "control_thing": ControlThing, "topic_lead": TopicLead, "topic_at": TopicAt, "topic_when": TopicWhen, "topic_fill": TopicFill, "topic_to": TopicTo, "route_from": RouteFrom, "route_to": RouteTo, "set_verb": SetVerb, "set_to": SetTo, "set_as": SetAs, "set_now": SetNow, "set_default": SetDefault, "set_search": SetSearch, "set_language": SetLanguage, "habit_verb": HabitVerb, "habit_now": HabitNow, "percent": Percent, "timed": Timed, "timed_first": TimedFirst, "dated": Dated, "play_verb": PlayVerb, "put_on": PutOn, "media_noun": MediaNoun, "media_style": MediaStyle, "media_amount": MediaAmount, "play_tail": PlayTail, "by": By, "not_media": NotMedia, "ask": Ask, "ask_how": AskHow, "system_word": SystemWord, "not_system": NotSystem, "definition": Definition,
		"on_this_page": OnThisPage, "open_page": OpenPage, "nth_verb": NthVerb, "result_noun": ResultNoun, "link_noun": LinkNoun, "tab_noun": TabNoun, "number_noun": NumberNoun, "tab_verb": TabVerb, "close_tab_verb": CloseTabVerb, "times_noun": TimesNoun, "zoom_to": ZoomTo, "click_verb": ClickVerb, "press_verb": PressVerb, "choose_verb": ChooseVerb, "control_noun": ControlNoun, "key_noun": KeyNoun, "find_verb": FindVerb, "find_here": FindHere, "scroll_to": ScrollTo, "word_noun": WordNoun, "type_verb": TypeVerb, "field_word": FieldWord, "field_first": FieldFirst, "secret_field": SecretField,
	}
})

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
