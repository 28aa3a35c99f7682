-- Times are milliseconds since 1970.
CREATE TABLE url (
	id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	key        BYTEA NOT NULL UNIQUE,  -- SHA-256 of url, which is too long for an index at times
	url        TEXT NOT NULL,
	host       TEXT NOT NULL,
	first_seen BIGINT NOT NULL,
	last_seen  BIGINT NOT NULL,
	seen       BIGINT NOT NULL,
	state      TEXT NOT NULL,          -- the last one observed
	status     BIGINT NOT NULL,
	reason     TEXT NOT NULL,
	final      TEXT NOT NULL,
	sure       TEXT NOT NULL,          -- the last one that was not unsure
	since      BIGINT NOT NULL,       -- from when on sure, or where there is none, state
	last_good  BIGINT NOT NULL,       -- 0: never
	good_final TEXT NOT NULL,          -- where it led then
	outcomes   BIGINT NOT NULL,       -- the last sure ones, a bit each, the newest lowest: 1 is good
	sures      BIGINT NOT NULL,       -- how many of these bits tell
	interval   BIGINT NOT NULL,       -- from the last observation to the next
	due        BIGINT NOT NULL,
	places     TEXT NOT NULL           -- where it stood when it was last met, as JSON
);
CREATE INDEX url_due ON url (due, id);
CREATE INDEX url_moved ON url (host) WHERE state = 'moved';

CREATE TABLE observation (
	url      BIGINT NOT NULL,
	at       BIGINT NOT NULL,
	state    TEXT NOT NULL,
	status   BIGINT NOT NULL,
	reason   TEXT NOT NULL,
	final    TEXT NOT NULL,
	evidence TEXT NOT NULL,            -- a JSON list, or empty
	ms       BIGINT NOT NULL,
	PRIMARY KEY (url, at)
);
