-- +goose Up
-- Keys are UUIDv7 as text, so that their order is the order of creation.
-- Times are milliseconds since 1970.

CREATE TABLE agents (
    id       TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    body     TEXT NOT NULL CHECK (json_valid(body))
) STRICT;

CREATE TABLE settings (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    body TEXT NOT NULL CHECK (json_valid(body))
) STRICT;

-- row_id is written out because the full-text index refers to it.
CREATE TABLE chats (
    row_id     INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    title      TEXT NOT NULL,
    agent_id   TEXT NOT NULL,
    toggle     TEXT NOT NULL DEFAULT 'unset' CHECK (toggle IN ('unset', 'on', 'off')),
    leaf_id    TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX chats_by_update ON chats (updated_at DESC, id DESC);

-- A tree: editing a message or asking again makes a sibling, never a change.
CREATE TABLE messages (
    id            TEXT PRIMARY KEY,
    chat_id       TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    parent_id     TEXT REFERENCES messages (id) ON DELETE CASCADE,
    role          TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    state         TEXT NOT NULL CHECK (state IN
        ('running', 'done', 'cancelled', 'denied', 'failed', 'interrupted', 'limit')),
    model         TEXT NOT NULL DEFAULT '',
    prompt_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    created_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_by_chat ON messages (chat_id, id);
CREATE INDEX messages_by_parent ON messages (parent_id);
CREATE INDEX messages_running ON messages (state) WHERE state = 'running';

-- A part grows until it is done; a done part never changes.
CREATE TABLE parts (
    row_id      INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    message_id  TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ('text', 'reasoning', 'code_run', 'file', 'error')),
    text        TEXT NOT NULL DEFAULT '',
    data        TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(data)),
    duration_ms INTEGER NOT NULL DEFAULT 0,
    done        INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
    UNIQUE (message_id, position)
) STRICT;

CREATE TABLE drafts (
    part_id TEXT NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    code    TEXT NOT NULL,
    PRIMARY KEY (part_id, ordinal)
) STRICT;

CREATE TABLE runs (
    id          TEXT PRIMARY KEY,
    chat_id     TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    part_id     TEXT NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    ordinal     INTEGER NOT NULL,
    engine      TEXT NOT NULL,
    language    TEXT NOT NULL,
    code        TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN
        ('running', 'done', 'failed', 'stopped', 'timeout', 'lost')),
    state_lost  INTEGER NOT NULL DEFAULT 0 CHECK (state_lost IN (0, 1)),
    error       TEXT NOT NULL DEFAULT '' CHECK (error = '' OR json_valid(error)),
    started_at  INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX runs_by_fence ON runs (part_id, ordinal, id);
CREATE INDEX runs_by_chat ON runs (chat_id);
CREATE INDEX runs_running ON runs (state) WHERE state = 'running';

CREATE TABLE outputs (
    run_id   TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    body     TEXT NOT NULL CHECK (json_valid(body)),
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

-- Which output needs which file of the content-addressed store.
CREATE TABLE blobs (
    hash     TEXT NOT NULL,
    run_id   TEXT NOT NULL,
    position INTEGER NOT NULL,
    size     INTEGER NOT NULL,
    PRIMARY KEY (hash, run_id, position),
    FOREIGN KEY (run_id, position) REFERENCES outputs (run_id, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX blobs_by_output ON blobs (run_id, position);

-- Kernels on servers, so that one that a crash left behind is found or ended.
CREATE TABLE kernels (
    id         TEXT PRIMARY KEY,
    chat_id    TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    connection TEXT NOT NULL,
    kernelspec TEXT NOT NULL,
    server_id  TEXT NOT NULL,
    folder     TEXT NOT NULL DEFAULT '',
    last_seen  INTEGER NOT NULL
) STRICT;

CREATE TABLE chat_files (
    chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    name    TEXT NOT NULL,
    hash    TEXT NOT NULL,
    PRIMARY KEY (chat_id, name)
) STRICT, WITHOUT ROWID;

-- Full text over finished text parts and titles. Trigrams find the inside of
-- words and languages without spaces; words under three letters use LIKE.
CREATE VIRTUAL TABLE parts_fts USING fts5 (text, content = 'parts', content_rowid = 'row_id', tokenize = 'trigram');
CREATE VIRTUAL TABLE chats_fts USING fts5 (title, content = 'chats', content_rowid = 'row_id', tokenize = 'trigram');

-- +goose StatementBegin
CREATE TRIGGER parts_indexed AFTER UPDATE OF done ON parts
WHEN new.done = 1 AND old.done = 0 AND new.kind = 'text' BEGIN
    INSERT INTO parts_fts (rowid, text) VALUES (new.row_id, new.text);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER parts_indexed_whole AFTER INSERT ON parts
WHEN new.done = 1 AND new.kind = 'text' BEGIN
    INSERT INTO parts_fts (rowid, text) VALUES (new.row_id, new.text);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER parts_unindexed AFTER DELETE ON parts
WHEN old.done = 1 AND old.kind = 'text' BEGIN
    INSERT INTO parts_fts (parts_fts, rowid, text) VALUES ('delete', old.row_id, old.text);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER chats_indexed AFTER INSERT ON chats BEGIN
    INSERT INTO chats_fts (rowid, title) VALUES (new.row_id, new.title);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER chats_reindexed AFTER UPDATE OF title ON chats BEGIN
    INSERT INTO chats_fts (chats_fts, rowid, title) VALUES ('delete', old.row_id, old.title);
    INSERT INTO chats_fts (rowid, title) VALUES (new.row_id, new.title);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER chats_unindexed AFTER DELETE ON chats BEGIN
    INSERT INTO chats_fts (chats_fts, rowid, title) VALUES ('delete', old.row_id, old.title);
END;
-- +goose StatementEnd
