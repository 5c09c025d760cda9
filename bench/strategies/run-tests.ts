/** A task's tests, run by the bench itself in a folder of its own. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runChild } from '../../harness/run-child.ts'
import { environment } from '../../harness/run-program.ts'
import type { Language } from './sources.ts'

export interface TestRun {
  readonly isGreen: boolean
  readonly isTimedOut: boolean
  readonly output: string
  /** Names of the tests that failed, or what stopped them all. */
  readonly signs: readonly string[]
}

const longest = 25_000
const mostSigns = 5

export async function writeTree(
  root: string,
  files: Iterable<readonly [string, string]>,
): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

export async function runTests(
  root: string,
  { language, command }: { readonly language: Language; readonly command: string },
  cache: string,
): Promise<TestRun> {
  const env = {
    ...environment(cache),
    PYTHONDONTWRITEBYTECODE: '1',
    CARGO_TARGET_DIR: join(cache, 'target'),
  }
  const { code, isTimedOut, output } = await runChild(['sh', '-c', command], root, env, longest)
  return { isGreen: code === 0, isTimedOut, output, signs: signsIn(language, output) }
}

const patterns: Readonly<Record<Language, readonly RegExp[]>> = {
  javascript: [/^\s*✖ (.+?) \([\d.]+ms\)$/gm, /^\w*Error(?: \[\w+\])?: (.+)$/gm],
  python: [/^FAILED \S+?::(?:\w+::)*(\w+)/gm, /^E\s+(\w+Error: .+)$/gm],
  go: [/^\s*--- FAIL: (\S+)/gm, /^\S+\.go:\d+:\d+: (.+)$/gm],
  rust: [/^test (\S+) (?:- should panic )?\.\.\. FAILED$/gm, /^error(?:\[E\d+\])?: (.+)$/gm],
}

function signsIn(language: Language, output: string): readonly string[] {
  for (const pattern of patterns[language]) {
    const found = [...output.matchAll(pattern)].map(([, name = '']) => name.trim())
    const distinct = [...new Set(found)].filter((name) => name !== 'failing tests:')
    // Longest first: the name of a suite says less than that of its test.
    if (distinct.length > 0) return distinct.slice(-mostSigns)
  }
  return []
}

export const remove = (root: string): Promise<void> => rm(root, { recursive: true, force: true })
