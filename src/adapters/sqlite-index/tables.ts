/**
 * The tables of `.executor/index.db`: parts of files, by path and blob. The text itself is not kept, only its words, in
 * a full-text table without content. A database with other tables is rebuilt.
 */
import type { Schema } from '../database-file.ts'

const statements: readonly string[] = [
  `CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT NOT NULL, blob TEXT NOT NULL, UNIQUE (path, blob))`,
  `CREATE TABLE parts (id INTEGER PRIMARY KEY, file INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL)`,
  `CREATE INDEX parts_of ON parts (file)`,
  `CREATE VIRTUAL TABLE words USING fts5(path, names, body, content = '', contentless_delete = 1,
     columnsize = 1, tokenize = 'porter unicode61')`,
  `CREATE TABLE imports (name TEXT NOT NULL, file INTEGER NOT NULL, specifier TEXT NOT NULL,
     PRIMARY KEY (name, file, specifier)) WITHOUT ROWID`,
  `CREATE INDEX imports_of ON imports (file)`,
  `CREATE TABLE commits (sha TEXT PRIMARY KEY, title TEXT NOT NULL, words TEXT NOT NULL, paths TEXT NOT NULL) WITHOUT ROWID`,
]

export const indexSchema: Schema = {
  statements,
  shadow: /^words_(?:data|idx|content|docsize|config)$/,
  // A first index is written in transactions of less than a second each.
  patience: 5_000,
}
