-- Version 2 of the tables: follow-ups and timers.

CREATE TABLE contexts ( -- what follow-ups of a conversation mean
	conversation TEXT NOT NULL,
	part         TEXT NOT NULL,
	run_id       TEXT NOT NULL COLLATE NOCASE,
	at           INTEGER NOT NULL,
	body         TEXT NOT NULL, -- JSON
	PRIMARY KEY (conversation, part)
) STRICT;

CREATE TABLE timers ( -- what is due later
	timer_id TEXT PRIMARY KEY COLLATE NOCASE NOT NULL,
	due      INTEGER NOT NULL,
	body     TEXT NOT NULL -- JSON; due there is that of its beginning
) STRICT;

CREATE TABLE timer_claims ( -- moments that a program has handled, or was about to
	timer_id   TEXT NOT NULL COLLATE NOCASE, -- may be gone
	due        INTEGER NOT NULL,
	claimed_at INTEGER NOT NULL,
	settled    INTEGER NOT NULL DEFAULT 0, -- 1: it was handled
	body       TEXT NOT NULL, -- JSON of the timer
	PRIMARY KEY (timer_id, due)
) STRICT;
