CREATE TABLE job (
	name     TEXT NOT NULL,
	read     INTEGER NOT NULL, -- whether its last link has been read
	finished INTEGER NOT NULL,
	crawls   INTEGER NOT NULL, -- whether pages bring more links
	links    INTEGER NOT NULL, -- places
	targets  INTEGER NOT NULL,
	answered INTEGER NOT NULL, -- targets
	taken    INTEGER NOT NULL, -- how many links of its own it was given so far
	digest   BLOB              -- SHA-256 of these, in their order
);

CREATE TABLE source (
	id   INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE
);

-- A host has its targets side by side in the table target. Those of a late one
-- are asked for when there are no others.
CREATE TABLE host (
	id     INTEGER PRIMARY KEY,
	name   TEXT NOT NULL,
	late   INTEGER NOT NULL,
	todo   INTEGER NOT NULL, -- its targets without an answer
	UNIQUE (name, late)
);
CREATE INDEX host_todo ON host (late, id) WHERE todo > 0;

-- A target, with the first of its links.
CREATE TABLE target (
	host     INTEGER NOT NULL,
	key      TEXT NOT NULL,
	answered INTEGER NOT NULL,
	text     TEXT,             -- the link's own; NULL: key
	source   INTEGER NOT NULL,
	line     INTEGER NOT NULL,
	col      INTEGER NOT NULL,
	start    INTEGER NOT NULL,
	behind   INTEGER NOT NULL,
	depth    INTEGER NOT NULL, -- the greatest of its links, below 0: an index has the greatest first
	stranger INTEGER NOT NULL, -- 0 when one of its links is the user's own
	within   INTEGER NOT NULL, -- 0 when a check begins at one of its links
	skip     TEXT,
	more     INTEGER NOT NULL, -- whether it has more links
	result   TEXT,             -- JSON, once it has an answer
	PRIMARY KEY (host, key)
) WITHOUT ROWID;

-- What leads further is asked for first: who comes by another way then rarely
-- gets any further.
CREATE INDEX target_todo ON target (host, depth, key) WHERE answered = 0;

-- The further links of targets.
CREATE TABLE link (
	host   INTEGER NOT NULL,
	key    TEXT NOT NULL,
	source INTEGER NOT NULL,
	line   INTEGER NOT NULL,
	col    INTEGER NOT NULL,
	start  INTEGER NOT NULL,
	text   TEXT NOT NULL,
	behind INTEGER NOT NULL,
	PRIMARY KEY (host, key, source, line, col, start, text)
) WITHOUT ROWID;
