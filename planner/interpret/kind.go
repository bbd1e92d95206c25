package interpret

import "slices"

// kind is what a phrase does in a command. A language file lists the phrases
// of each kind under the name given here.
type kind uint8

const (
	// Around a command.
	kLead       kind = iota // politeness and wake words before it
	kLeadMind               // the same, followed by a gerund
	kLeadAsk                // the same, or a real question: is it possible to
	kTail                   // politeness after it
	kTailNow                // the same, only where no free text can end
	kFiller                 // small words between a verb and its object
	kNot                    // negators of the clause
	kNotLast                // the same, at its end
	kVoid                   // the same, only of a deed that is a noun: «поиск … не нужен»
	kDeedNoun               // such a deed
	kCancel                 // takes everything back
	kRepair                 // self-repair that is unmistakable
	kRepairSoft             // self-repair only after a pause
	kReferent               // points at something that was not said

	// Between commands.
	kBut // joins, and what follows may be forbidden
	kAnd // joins clauses and list items
	kTo  // "… to search", only after an opening clause
	kOr
	kInstead
	kReplacing // the same, in front of a command
	kStepping  // list numbering: first, then: belongs to no clause

	// Verbs.
	kSearch   // free text follows
	kSearchIn // free text follows, or a site and then free text
	kPlay     // a search where a site is named or was just opened: play, watch
	kSearchAt // a site and then free text; without a site no search: ask, check
	kSearchOn // a search only where a site is named: play, watch
	kLookUp   // look X up
	kTypeIn   // types into the search field of the page just opened
	kWriteIn  // the same; but where a site is named it would post there
	kOpen
	kStart // opens, but means other things too: start, run
	kGo    // opens; what follows is a web address rather than a file
	kShow  // opens only what is known: show me gmail
	kUse   // names the site to search with
	kCreate
	kMake // creates only where a file or folder is named
	kPut  // creates only where "a file" or "a folder" is said: "put notes.txt there" moves one
	kDelete
	kMkdir
	kTouch
	kRm
	kRmdir
	kSearchIng
	kSearchInIng
	kSearchOnIng
	kOpenIng
	kGoIng
	kCreateIng
	kDeleteIng

	// Slots.
	kOn        // before a site
	kFor       // before free text, after a site
	kAsPlace   // "in the browser": says how, not what
	kInApp     // before a browser that no goal can ask for
	kWeb       // the web at large
	kLocal     // this computer, which is not searched
	kCarrier   // empty words before the real query: videos of
	kField     // in the search bar
	kThere     // before a query: on the page just opened
	kThereLast // the same after a query, if a page was opened
	kSubmit    // press enter
	kSiteEnd   // belongs to a site's name only at the very end: google search
	kUp        // look X up
	kDet
	kKnown // the determiners of what is there already
	kPronoun
	kNothing // names no object: something, anything
	kBulk    // many things, unless names follow: files, my photos
	kBulkAll // all of them: everything, every
	kAppNoun
	kSiteNoun
	kWindow // after a name only
	kBe     // makes a statement of a site's name

	// Pages.
	kShot      // takes a picture: "take a screenshot", "screenshot"
	kWhole     // of all of a page: "full page"
	kReadOut   // tells a page's text: "read", "what is written on"
	kWhatSays  // the same, before a page and kSays: "what does"
	kSays      // "say"
	kList      // tells rows: "show", "list", "what are"
	kTell      // the same, where a count is said or the page was opened
	kFirst     // before a count: "first", "top"
	kResults   // what a search finds
	kOne       // a result in the singular
	kHits      // the same, where a count is said: "videos", "articles"
	kLinks     // what a page leads to
	kSave      // keeps a page in some form
	kConvert   // the same, only where the form is said: "turn", "print"
	kWhatsOn   // "what's on": tells the text of an address, and of nothing that only has a name
	kAsPDF     // the form: "as a pdf"
	kAsShot    // the form: "as a picture"
	kPDF       // "pdf of"
	kDownload  // fetches a file
	kPageNoun  // names a page together with its site or address
	kAsName    // before the name under which something is kept
	kReadThat  // tells the text of the page just opened
	kAloud     // how a page is read, at the end
	kOf        // before the page: "of", "from", "on"
	kThisPage  // the page just opened
	kOwn       // says that the person's own browser is to show it
	kFetchFile // a noun before an address: "the file at"

	// Files.
	kFolder
	kFolders
	kFile
	kFiles
	kEmpty   // adjectives that say nothing: new, empty
	kNumber  // two, three: a list follows
	kAnother // one more of the same type
	kNamed
	kIn       // before a containing folder
	kInside   // the same, where it can't be part of a name: a folder's bare name may follow
	kFrom     // the same, out of it
	kInIt     // inside what was just created
	kVague    // no name begins like this
	kQuality  // before a noun it describes and does not name: biggest, other
	kWith     // a folder with a file in it
	kContent  // what a file is to hold; no goal can say it
	kManner   // how it is to be done; no goal can say it
	kAdverb   // how, when or where; it ends the name of what is deleted, unless it is announced
	kPosition // where something stands among others; alone it names nothing
	kRest     // what is left of many; in a list it names nothing
	kHere     // where one is; what deletes must know where that is
	kKeep     // the contrary of deleting
	kWhen     // when it is to be done; no goal can say it
	kIf       // the same, and what follows belongs to it
	kSubject  // whom a sentence is about
	kHurry    // the same as nothing
	kDevice   // the same, of a device: no page plays it
	kDeed     // foreign deeds that are certain to begin a clause
	kForeign  // things and deeds outside the five kinds of goals

	// System queries.
	kAsk // begins a question or a request to tell
	kSysWord
	kDefinition // asks what a word means, not how this machine is

	// Entries that carry a value.
	kPlace     // value: "~/Desktop/"
	kExtension // value: ".txt"
	kSpoken    // value: the character said in words
	kSuffix    // value: the top-level domain said in words
	kLetter    // value: the letters of an extension, spelled aloud
	kSysKey    // value: target
	kSysExtra  // value: target
	kCount     // value: a number said in words
	kOwnSite   // value: the site that a verb of searching names
	kSite      // value: site id
	kApp       // value: app id
	kinds
)

// kindNames are the keys of a language file.
var kindNames = map[string]kind{
	"lead": kLead, "lead_gerund": kLeadMind, "lead_question": kLeadAsk, "tail": kTail, "tail_now": kTailNow, "filler": kFiller,
	"not": kNot, "not_last": kNotLast, "void": kVoid, "deed_noun": kDeedNoun, "cancel": kCancel, "repair": kRepair, "repair_after_pause": kRepairSoft, "referent": kReferent,
	"and": kAnd, "to": kTo, "or": kOr, "instead": kInstead, "replacing": kReplacing, "step": kStepping,
	"search": kSearch, "search_in": kSearchIn, "search_on": kSearchOn, "search_at": kSearchAt, "play": kPlay, "but": kBut, "bulk_all": kBulkAll, "type_in": kTypeIn, "write_in": kWriteIn, "look_up": kLookUp, "searching_in": kSearchInIng,
	"open": kOpen, "start": kStart, "go": kGo, "show": kShow, "use": kUse,
	"create": kCreate, "make": kMake, "put": kPut, "delete": kDelete, "mkdir": kMkdir, "touch": kTouch, "rm": kRm, "rmdir": kRmdir,
	"searching": kSearchIng, "searching_on": kSearchOnIng, "opening": kOpenIng, "going": kGoIng,
	"creating": kCreateIng, "deleting": kDeleteIng,
	"on": kOn, "for": kFor, "as_place": kAsPlace, "in_app": kInApp, "web": kWeb, "local": kLocal, "carrier": kCarrier, "field": kField, "there": kThere, "there_last": kThereLast, "submit": kSubmit, "site_end": kSiteEnd, "up": kUp,
	"screenshot": kShot, "whole_page": kWhole, "read_out": kReadOut, "what_says": kWhatSays, "says": kSays, "list": kList, "list_counted": kTell, "first": kFirst,
	"results": kResults, "one_result": kOne, "hits": kHits, "links": kLinks, "save": kSave, "convert": kConvert, "whats_on": kWhatsOn, "as_pdf": kAsPDF, "as_picture": kAsShot, "pdf": kPDF, "download": kDownload, "of": kOf, "aloud": kAloud, "page_noun": kPageNoun, "as_name": kAsName, "read_that": kReadThat,
	"this_page": kThisPage, "own_browser": kOwn, "the_file": kFetchFile,
	"determiner": kDet, "known": kKnown, "pronoun": kPronoun, "nothing": kNothing, "bulk": kBulk,
	"app_noun": kAppNoun, "site_noun": kSiteNoun, "window": kWindow, "be": kBe,
	"folder": kFolder, "folders": kFolders, "file": kFile, "files": kFiles, "empty": kEmpty, "number": kNumber,
	"another": kAnother, "named": kNamed, "in": kIn, "inside": kInside, "from": kFrom, "in_it": kInIt, "foreign": kForeign,
	"vague": kVague, "quality": kQuality, "with": kWith, "content": kContent, "manner": kManner, "adverb": kAdverb, "position": kPosition, "rest": kRest, "here": kHere, "keep": kKeep, "when": kWhen, "if": kIf, "subject": kSubject, "hurry": kHurry, "deed": kDeed, "device": kDevice, "ask": kAsk, "system_word": kSysWord, "definition": kDefinition,
}

// Verbs by the frame that reads what follows them.
var (
	searchVerbs = []kind{kSearch, kSearchIn, kSearchAt, kSearchOn, kPlay, kLookUp, kTypeIn, kWriteIn, kSearchIng, kSearchInIng, kSearchOnIng}
	openVerbs   = []kind{kOpen, kStart, kGo, kShow, kOpenIng, kGoIng}
	createVerbs = []kind{kCreate, kMake, kPut, kMkdir, kTouch, kCreateIng}
	deleteVerbs = []kind{kDelete, kRm, kRmdir, kDeleteIng}
	fileVerbs   = []kind{kCreate, kMake, kPut, kDelete}
	verbs       = slices.Concat(searchVerbs, openVerbs, createVerbs, deleteVerbs)
)

// gerund kinds count only after a wrapper that wants one.
func gerund(k kind) bool {
	switch k {
	case kSearchIng, kSearchInIng, kSearchOnIng, kOpenIng, kGoIng, kCreateIng, kDeleteIng:
		return true
	}
	return false
}
