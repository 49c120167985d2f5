// Package store keeps everything in one SQLite file: chats and their messages,
// runs and their outputs, agents and the settings document.
//
// Every method that changes something returns only when the change is durable:
// it survives the end of the process at any moment, and of the machine.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/mattn/go-sqlite3"
	"github.com/pressly/goose/v3"

	"lathe/internal/apperr"
	"lathe/internal/store/db"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Store is an open database. It may be used from any goroutine: writes follow
// each other on one connection, reads go on beside them.
type Store struct {
	writer *sql.DB
	reader *sql.DB
	read   *db.Queries
}

// readers bounds the connections for reading.
const readers = 4

// Open opens the database at path, makes it where it is missing, and brings its
// schema up to date. A database of a newer version is refused untouched
// (apperr.DatabaseNewer); a damaged one gives apperr.DatabaseDamaged.
func Open(ctx context.Context, path string) (*Store, error) {
	writer, err := sql.Open("sqlite3", dsn(path, "_txlock=immediate"))
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	writer.SetMaxOpenConns(1)
	if err := migrate(ctx, writer, path); err != nil {
		return nil, errors.Join(openError(err, path), writer.Close())
	}
	reader, err := sql.Open("sqlite3", dsn(path, "_query_only=on"))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open database: %w", err), writer.Close())
	}
	reader.SetMaxOpenConns(readers)
	return &Store{writer: writer, reader: reader, read: db.New(reader)}, nil
}

// Close ends all connections.
func (s *Store) Close() error { return errors.Join(s.reader.Close(), s.writer.Close()) }

// dsn puts the pragmas where every connection of the pool gets them. FULL makes
// a commit durable in WAL mode even when the power fails.
func dsn(path string, extra ...string) string {
	options := append([]string{
		"_journal_mode=WAL", "_synchronous=FULL", "_foreign_keys=on", "_busy_timeout=5000", "_cache_size=-16000",
	}, extra...)
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + strings.Join(options, "&")
}

// migrate applies what is missing of the schema.
func migrate(ctx context.Context, database *sql.DB, path string) error {
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, database, folder)
	if err != nil {
		return err
	}
	// The version table is looked at before goose would make it: a file of a
	// newer version must stay as it is.
	present, err := schemaVersion(ctx, database)
	if err != nil {
		return err
	}
	sources := provider.ListSources()
	if newest := sources[len(sources)-1].Version; present > newest {
		return apperr.New(apperr.DatabaseNewer, "path", path)
	}
	_, err = provider.Up(ctx)
	return err
}

// schemaVersion returns the version of the newest applied migration; 0 for a new file.
func schemaVersion(ctx context.Context, database *sql.DB) (int64, error) {
	var tables int
	const find = `SELECT count(*) FROM sqlite_master WHERE name = 'goose_db_version'`
	if err := database.QueryRowContext(ctx, find).Scan(&tables); err != nil || tables == 0 {
		return 0, err
	}
	var version sql.NullInt64
	err := database.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version`).Scan(&version)
	return version.Int64, err
}

func openError(err error, path string) error {
	var lite sqlite3.Error
	switch {
	case errors.As(err, &lite) && (lite.Code == sqlite3.ErrNotADB || lite.Code == sqlite3.ErrCorrupt):
		return apperr.Wrap(err, apperr.DatabaseDamaged, "path", path)
	case errors.As(err, &lite) && (lite.Code == sqlite3.ErrReadonly || lite.Code == sqlite3.ErrCantOpen),
		errors.Is(err, os.ErrPermission):
		return apperr.Wrap(err, apperr.DataFolderReadOnly, "path", path)
	default:
		return fmt.Errorf("open database: %w", err)
	}
}

// write runs do in one transaction.
func (s *Store) write(ctx context.Context, what string, do func(*db.Queries) error) error {
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return storeError(what, err)
	}
	if err := do(db.New(tx)); err != nil {
		return errors.Join(storeError(what, err), ignoreDone(tx.Rollback()))
	}
	if err := tx.Commit(); err != nil {
		return storeError(what, err)
	}
	return nil
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

func storeError(what string, err error) error {
	var coded *apperr.Error
	if errors.As(err, &coded) || errors.Is(err, context.Canceled) {
		return err
	}
	return apperr.Wrap(err, apperr.StoreFailed, "what", what, "detail", err.Error())
}

// chunk is the number of values of one IN list; SQLite bounds them.
const chunk = 500

// inChunks calls do with at most chunk keys at a time.
func inChunks(keys []string, do func([]string) error) error {
	for len(keys) > 0 {
		n := min(chunk, len(keys))
		if err := do(keys[:n]); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}
