import type { DatabaseSync } from 'node:sqlite'
import type { CodeIndex } from '../../core/ports/code-index.ts'
import { isImportOf, namesOfFile } from '../../text/imports/imported-names.ts'
import type { CommitRow, Live } from './take-in.ts'

/** A word in a path, or in a declaration, weighs more than one in a body. */
const weights = '4.0, 2.0, 1.0'

const byWord = `SELECT p.file, p.first, p.last, -bm25(words, ${weights}) AS score
  FROM words JOIN parts p ON p.id = words.rowid WHERE words MATCH ?`

/** Answers about the files of one tree. */
export function indexOf(
  database: DatabaseSync,
  live: Live,
  commits: readonly CommitRow[],
): CodeIndex {
  const paths = new Set(live.values())
  const pathOf = (file: number): readonly string[] => {
    const path = live.get(file)
    return path === undefined ? [] : [path]
  }
  return {
    partsWith(word) {
      // A quoted string is no expression.
      const found = database.prepare(byWord).all(`"${word.replaceAll('"', '')}"`)
      return found.flatMap(({ file, first, last, score }) => {
        const path = live.get(Number(file))
        if (path === undefined) return []
        return [{ path, first: Number(first), last: Number(last), score: Number(score) }]
      })
    },
    definitions(name) {
      const rows = database.prepare('SELECT file, line FROM definitions WHERE name = ?').all(name)
      return rows.flatMap(({ file, line }) =>
        pathOf(Number(file)).map((path) => ({ path, line: Number(line) })),
      )
    },
    importers(target) {
      const find = database.prepare('SELECT file, specifier FROM imports WHERE name = ?')
      const found = [...new Set(namesOfFile(target))]
        .flatMap((name) => find.all(name))
        .flatMap(({ file, specifier }) =>
          pathOf(Number(file)).filter((path) =>
            isImportOf(target, { path, specifier: String(specifier) }, (each) => paths.has(each)),
          ),
        )
      return [...new Set(found)].toSorted()
    },
    commits: commits.map(({ words, paths: changed }) => ({
      words: words.split(' '),
      paths: changed.split('\n').filter((path) => paths.has(path)),
    })),
  }
}
