-- Times are milliseconds since 1970.
CREATE TABLE url (
	id         INTEGER PRIMARY KEY,
	url        TEXT NOT NULL UNIQUE,
	host       TEXT NOT NULL,
	first_seen INTEGER NOT NULL,
	last_seen  INTEGER NOT NULL,
	seen       INTEGER NOT NULL,
	state      TEXT NOT NULL,          -- the last one observed
	status     INTEGER NOT NULL,
	reason     TEXT NOT NULL,
	final      TEXT NOT NULL,
	sure       TEXT NOT NULL,          -- the last one that was not unsure
	since      INTEGER NOT NULL,       -- from when on sure, or where there is none, state
	last_good  INTEGER NOT NULL,       -- 0: never
	good_final TEXT NOT NULL,          -- where it led then
	outcomes   INTEGER NOT NULL,       -- the last sure ones, a bit each, the newest lowest: 1 is good
	sures      INTEGER NOT NULL,       -- how many of these bits tell
	interval   INTEGER NOT NULL,       -- from the last observation to the next
	due        INTEGER NOT NULL,
	places     TEXT NOT NULL           -- where it stood when it was last met, as JSON
);
CREATE INDEX url_due ON url (due, id);
CREATE INDEX url_moved ON url (host) WHERE state = 'moved';

CREATE TABLE observation (
	url      INTEGER NOT NULL,
	at       INTEGER NOT NULL,
	state    TEXT NOT NULL,
	status   INTEGER NOT NULL,
	reason   TEXT NOT NULL,
	final    TEXT NOT NULL,
	evidence TEXT NOT NULL,            -- a JSON list, or empty
	ms       INTEGER NOT NULL,
	PRIMARY KEY (url, at)
) WITHOUT ROWID;
