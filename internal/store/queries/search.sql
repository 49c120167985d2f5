-- Chats whose title or finished texts hold a phrase of three letters or more.
-- name: SearchIndexed :many
SELECT chats.id, chats.title, chats.agent_id, chats.leaf_id, chats.created_at, chats.updated_at
FROM chats WHERE chats.row_id IN (
    SELECT chats_fts.rowid FROM chats_fts WHERE chats_fts.title MATCH sqlc.arg(phrase)
    UNION
    SELECT owner.row_id FROM parts_fts
    JOIN parts ON parts.row_id = parts_fts.rowid
    JOIN messages ON messages.id = parts.message_id
    JOIN chats owner ON owner.id = messages.chat_id
    WHERE parts_fts.text MATCH sqlc.arg(phrase))
ORDER BY chats.updated_at DESC, chats.id DESC LIMIT sqlc.arg(page);

-- The same for shorter phrases, which trigrams can't find; titles only, since
-- reading every text would be slow.
-- name: SearchTitles :many
SELECT id, title, agent_id, leaf_id, created_at, updated_at FROM chats
WHERE title LIKE sqlc.arg(pattern) ESCAPE '\'
ORDER BY updated_at DESC, id DESC LIMIT sqlc.arg(page);
