-- Version 5 of the tables: callbacks, and chats of a messenger.

CREATE TABLE callbacks ( -- the buttons that moved a draft
	key      TEXT PRIMARY KEY NOT NULL, -- names one press
	draft_id TEXT NOT NULL COLLATE NOCASE, -- may be gone
	action   TEXT NOT NULL, -- apply or cancel
	state    TEXT NOT NULL, -- of the draft, to which it was moved
	at       INTEGER NOT NULL
) STRICT;

CREATE TABLE chats ( -- that may give goals
	bot       INTEGER NOT NULL,
	chat      INTEGER NOT NULL,
	name      TEXT NOT NULL,
	paired_at INTEGER NOT NULL,
	PRIMARY KEY (bot, chat)
) STRICT;

CREATE TABLE pairing ( -- the code that pairs the next chat: one row at most
	id       INTEGER PRIMARY KEY CHECK (id = 1),
	hash     TEXT NOT NULL, -- SHA-256 of the code
	expires  INTEGER NOT NULL,
	attempts INTEGER NOT NULL -- that are left
) STRICT;

CREATE TABLE chat_updates ( -- messages and presses of buttons that were taken up
	bot       INTEGER NOT NULL,
	update_id INTEGER NOT NULL,
	chat      INTEGER NOT NULL,
	taken_at  INTEGER NOT NULL,
	settled   INTEGER NOT NULL DEFAULT 0, -- 1: the chat has its answer
	ref       TEXT NOT NULL, -- the run or the draft that it is about
	PRIMARY KEY (bot, update_id)
) STRICT;
