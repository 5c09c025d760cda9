import type { DatabaseSync } from 'node:sqlite'
import { isImportOf, namesOfFile } from '../../../packages/source/source.ts'
import type { CodeIndex } from '../../core/ports/code-index.ts'
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
    importers(target) {
      const find = database.prepare('SELECT file, specifier FROM imports WHERE name = ?')
      const found = [...new Set(namesOfFile(target))]
        .flatMap((name) => find.all(name))
        .flatMap(({ file, specifier }) => {
          const path = live.get(Number(file))
          if (path === undefined) return []
          const importer = { path, specifier: String(specifier) }
          return isImportOf(target, importer, (each) => paths.has(each)) ? [path] : []
        })
      return [...new Set(found)].toSorted()
    },
    commits: commits.map(({ title, words, paths: changed }) => ({
      title,
      words: words.split(' '),
      paths: changed.split('\n').filter((path) => paths.has(path)),
    })),
  }
}
