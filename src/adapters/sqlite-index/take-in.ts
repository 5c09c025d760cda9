/** Brings the index to the files of a tree: reads only the blobs that it has not seen at their paths. */
import type { DatabaseSync } from 'node:sqlite'
import { importedNames, indexWords, readCodeParts } from '../../../packages/source/source.ts'
import { inTransaction, rowAs } from '../database-file.ts'

export interface IndexedFile {
  readonly path: string
  readonly blob: string
  /** In bytes. */
  readonly size: number
}

export interface Sources {
  readTexts(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Commits before the tree, newest first. */
  listCommits(): Promise<readonly string[]>
  readCommits(shas: readonly string[]): Promise<readonly CommitFiles[]>
}

export interface CommitFiles {
  readonly sha: string
  readonly title: string
  readonly paths: readonly string[]
}

/** The tree, by the ids of its files. */
export type Live = ReadonlyMap<number, string>

/** Of the files of one transaction, whose end other runs wait for. */
const most = { files: 500, bytes: 4_000_000 }
/** Commits that changed more files say little about each. */
const mostPaths = 30

/**
 * Stops between two batches when `isLate`: the index then lacks files, and the next call reads them.
 */
export async function takeInFiles(
  database: DatabaseSync,
  files: readonly IndexedFile[],
  { readTexts }: Pick<Sources, 'readTexts'>,
  isLate: () => boolean,
): Promise<Live> {
  const rows = database.prepare('SELECT id, path, blob FROM files').all()
  const known = new Map(rows.map(({ id, path, blob }) => [`${blob} ${path}`, Number(id)]))
  const live = new Map<number, string>()
  const missing = files.filter((file) => {
    const id = known.get(`${file.blob} ${file.path}`)
    if (id !== undefined) live.set(id, file.path)
    return id === undefined
  })
  const add = writer(database)
  for (const batch of batchesOf(missing)) {
    if (isLate()) break
    const texts = await readTexts(batch.map(({ path }) => path))
    inTransaction(database, () => {
      for (const file of batch) live.set(add(file, texts.get(file.path) ?? ''), file.path)
    })
  }
  if (known.size > 2 * files.length + 1_000) dropOthers(database, live)
  return live
}

function* batchesOf(files: readonly IndexedFile[]): Generator<readonly IndexedFile[]> {
  let batch: IndexedFile[] = []
  let bytes = 0
  for (const file of files) {
    if (batch.length === most.files || bytes + file.size > most.bytes) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(file)
    bytes += file.size
  }
  yield batch
}

/** Writes a file in the open transaction; another run may have written it meanwhile. */
function writer(database: DatabaseSync): (file: IndexedFile, text: string) => number {
  const find = database.prepare('SELECT id FROM files WHERE path = ? AND blob = ?')
  const addFile = database.prepare('INSERT INTO files (path, blob) VALUES (?, ?)')
  const addPart = database.prepare('INSERT INTO parts (file, first, last) VALUES (?, ?, ?)')
  const addWords = database.prepare(
    'INSERT INTO words (rowid, path, names, body) VALUES (?, ?, ?, ?)',
  )
  const addImport = database.prepare('INSERT OR IGNORE INTO imports VALUES (?, ?, ?)')
  return ({ path, blob }, text) => {
    const known = find.get(path, blob)
    if (known !== undefined) return Number(known.id)
    const file = Number(addFile.run(path, blob).lastInsertRowid)
    const place = indexWords(path)
    for (const { first, last, names, words } of readCodeParts(path, text)) {
      const part = addPart.run(file, first, last).lastInsertRowid
      addWords.run(part, place, names, words)
    }
    for (const { name, specifier } of importedNames(path, text)) {
      addImport.run(name, file, specifier)
    }
    return file
  }
}

/** Drops the files of older trees; a run that works on one reads them again. */
function dropOthers(database: DatabaseSync, live: Live): void {
  inTransaction(database, () => {
    const old = database.prepare('SELECT id FROM files').all()
    const drop = [
      'DELETE FROM words WHERE rowid IN (SELECT id FROM parts WHERE file = ?)',
      ...['parts', 'imports'].map((name) => `DELETE FROM ${name} WHERE file = ?`),
      'DELETE FROM files WHERE id = ?',
    ].map((sql) => database.prepare(sql))
    for (const { id } of old) {
      if (!live.has(Number(id))) for (const statement of drop) statement.run(Number(id))
    }
  })
}

/** Reads the commits that the index does not have, and returns all of them, newest first. */
export async function takeInCommits(
  database: DatabaseSync,
  { listCommits, readCommits }: Omit<Sources, 'readTexts'>,
): Promise<readonly CommitRow[]> {
  const wanted = await listCommits()
  const rows = database.prepare('SELECT sha, title, words, paths FROM commits').all()
  const known = new Map(rows.map((row) => rowAs<CommitRow>(row)).map((row) => [row.sha, row]))
  const missing = wanted.filter((sha) => !known.has(sha))
  const read = missing.length === 0 ? [] : await readCommits(missing)
  inTransaction(database, () => {
    if (known.size > 5 * wanted.length) database.exec('DELETE FROM commits')
    const add = database.prepare('INSERT OR REPLACE INTO commits VALUES (?, ?, ?, ?)')
    for (const { sha, title, paths } of read) {
      const kept = paths.length > mostPaths ? [] : paths
      const row = { sha, title, words: indexWords(title), paths: kept.join('\n') }
      add.run(sha, title, row.words, row.paths)
      known.set(sha, row)
    }
  })
  return wanted.flatMap((sha) => known.get(sha) ?? [])
}

export interface CommitRow {
  readonly sha: string
  readonly title: string
  /** With a space between. */
  readonly words: string
  /** With a line break between. */
  readonly paths: string
}
