/**
 * `node bench/make-tasks.ts --repos DIR --seed S`: makes the tasks of the bench from clones in DIR and
 * writes `bench/strategies/tasks.json`. A commit becomes a task where it changes code and tests, its tests fail
 * without its change and pass with it, and fail again with one slip in it. No text of a repository is kept.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { noCode, slips as rules } from '../harness/exercises/spoil.ts'
import { git } from '../harness/git.ts'
import { readArguments, refuse } from '../harness/read-arguments.ts'
import { createRandom } from './statistics.ts'
import { addedLines, hash, withSlip } from './strategies/faults.ts'
import { type Matter, readCommit, readExercises } from './strategies/load-task.ts'
import { findClone } from './strategies/read-tree.ts'
import { remove, runTests, writeTree } from './strategies/run-tests.ts'
import {
  addressOf,
  exerciseLanguages,
  exerciseSource,
  isProduct,
  isTest,
  type Language,
  languages,
  sources,
} from './strategies/sources.ts'
import { type Kind, kinds, type Part, type SolvedFile, type TaskEntry } from './strategies/task.ts'

const values = readArguments(import.meta.filename, {
  repos: { type: 'string' },
  seed: { type: 'string', default: '1' },
  commits: { type: 'string', default: '400' },
})
const repos = values.repos ?? refuse('Name the folder of the clones: --repos DIR.')
const seed = Number(values.seed)
const workplace = await mkdtemp(join(tmpdir(), 'executor-tasks-'))

/** How many of each kind and language; what a language has no matter for goes to none. */
const wanted: Readonly<Record<Kind, Readonly<Partial<Record<Language, number>>>>> = {
  'one file': { javascript: 2, python: 2, go: 2, rust: 2 },
  'many files': { javascript: 3, python: 2, go: 3 },
  'file not named': { javascript: 4, python: 4, go: 4 },
  'needs a test run': { javascript: 2, python: 2, go: 2, rust: 2 },
  'misleading name': { javascript: 3, python: 3, go: 3 },
  'too big': { python: 3, go: 3, rust: 2 },
}
const mostTried = 8
const most = { characters: 24_000, files: 5, lines: 120 }

interface Checked {
  readonly matter: Matter
  readonly signs: string[]
  readonly parts: Part[]
}

const entries: TaskEntry[] = []
const used = new Set<string>()
const left = new Map<string, number>(
  kinds.flatMap((kind) =>
    languages.map((language) => [`${kind} ${language}`, wanted[kind][language] ?? 0] as const),
  ),
)

try {
  for (const language of exerciseLanguages) await fromExercises(language)
  for (const language of languages) await fromCommits(language)
} finally {
  await rm(workplace, { recursive: true, force: true })
}
entries.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
const numbered = entries.map((entry, index) => ({ ...entry, id: `B-${index + 1}` }))
const addresses = Object.fromEntries(
  [...new Set(numbered.map(({ repository }) => repository))].map((name) => [name, addressOf(name)]),
)
const manifest = { seed, addresses, tasks: numbered }
await writeFile(
  join(import.meta.dirname, 'strategies/tasks.json'),
  `${JSON.stringify(manifest, null, 1)}\n`,
)
for (const [what, count] of left) if (count > 0) console.log(`short of ${count}: ${what}`)
console.log(`${numbered.length} tasks`)

function take(kind: Kind, language: Language): boolean {
  const key = `${kind} ${language}`
  const count = left.get(key) ?? 0
  if (count > 0) left.set(key, count - 1)
  return count > 0
}

function isOpen(kind: Kind, language: Language): boolean {
  return (left.get(`${kind} ${language}`) ?? 0) > 0
}

function keep(
  kind: Kind,
  base: Pick<TaskEntry, 'language' | 'repository' | 'sha' | 'exercises' | 'decoy'>,
  { signs, parts }: Checked,
): void {
  take(kind, base.language)
  entries.push({ id: '', kind, ...base, signs, parts })
  console.error(`${kind}: ${base.repository} ${base.sha.slice(0, 10)} ${base.exercises.join(', ')}`)
}

async function fromExercises(language: Language): Promise<void> {
  const clone = findClone(repos, exerciseSource)
  if (clone === null) return console.log(`not there: ${addressOf(exerciseSource)}`)
  const sha = await git(clone, 'rev-parse', 'HEAD')
  const listed = await git(clone, 'ls-tree', '--name-only', sha, `${language}/exercises/practice/`)
  const names = shuffle(
    listed.split('\n').map((path) => basename(path)),
    `${language} exercises`,
  )
  const base = { language, repository: exerciseSource, sha, decoy: null }
  for (const kind of ['one file', 'needs a test run', 'too big'] as const) {
    while (isOpen(kind, language) && names.length > 0) {
      if (kind !== 'too big' && language !== 'rust') break
      const exercises: string[] = []
      while (exercises.length < (kind === 'too big' ? 3 : 1) && names.length > 0) {
        const name = names.shift() ?? ''
        const matter = await readExercises(clone, sha, language, [name])
        if (matter !== null && (await check(language, matter)) !== null) exercises.push(name)
      }
      const matter = await readExercises(clone, sha, language, exercises)
      const checked = matter === null ? null : await check(language, matter)
      if (checked !== null) keep(kind, { ...base, exercises }, checked)
    }
  }
}

async function fromCommits(language: Language): Promise<void> {
  const own = sources.filter((source) => source.language === language)
  const perSource = await Promise.all(
    own.map(async ({ name }) => {
      const clone = findClone(repos, name)
      if (clone === null) console.log(`not there: ${addressOf(name)}`)
      if (clone === null) return []
      const shas = await promising(clone, language)
      return shuffle(shas, name).map((sha) => ({ name, clone, sha }))
    }),
  )
  const longestList = Math.max(...perSource.map((list) => list.length), 0)
  const inTurn = Array.from({ length: longestList }, (_, at) =>
    perSource.flatMap((list) => list[at] ?? []),
  )
  for (const { name, clone, sha } of inTurn.flat()) {
    if (!kinds.some((kind) => kind !== 'too big' && isOpen(kind, language))) return
    if (used.has(sha)) continue
    const matter = await readCommit(clone, sha, language).catch(() => null)
    if (matter === null || !isFit(matter)) continue
    const fit = fitting(language, matter)
    const kind = fit.find((each) => isOpen(each.kind, language))
    if (kind === undefined) continue
    const checked = await check(language, matter)
    if (checked === null) continue
    used.add(sha)
    const base = { language, repository: name, sha, exercises: [], decoy: kind.decoy }
    keep(kind.kind, base, checked)
  }
}

/** Commits that change few files of the product, and tests. */
async function promising(clone: string, language: Language): Promise<readonly string[]> {
  const format = ['--no-merges', '--no-renames', '--format=%x00%H', '--name-only']
  const listed = await git(clone, 'log', ...format, `-${values.commits}`)
  return listed.split('\0').flatMap((block) => {
    const [sha = '', ...paths] = block.split('\n').filter((line) => line !== '')
    const product = paths.filter((path) => isProduct(language, path)).length
    const hasTests = paths.some((path) => isTest(language, path))
    return hasTests && product > 0 && product <= most.files ? [sha] : []
  })
}

/** Small enough that a script can send every file whole, as naive does. */
function isFit({ solution, subject }: Matter): boolean {
  if (solution.length > most.files || subject.length > 120) return false
  const lines = solution.reduce((sum, file) => sum + addedLines(file).length, 0)
  if (lines === 0 || lines > most.lines) return false
  return solution.every(
    ({ before, after }) =>
      after.length <= most.characters &&
      (before === null || before.endsWith('\n')) &&
      after.endsWith('\n'),
  )
}

/** The kinds that this matter can be, rarest first. */
function fitting(
  language: Language,
  matter: Matter,
): readonly { kind: Kind; decoy: string | null }[] {
  const { solution, files, subject } = matter
  const [first] = solution
  if (first === undefined) return []
  if (solution.length > 1) return [{ kind: 'many files', decoy: null }]
  if (first.before === null) return []
  const decoy = similarFile(language, files, first)
  const stem = basename(first.path).replace(/\..*$/, '').toLowerCase()
  const isNamed = subject.toLowerCase().includes(stem) || /[\w-]+\.(?:js|py|go)\b/.test(subject)
  const hasWords = (subject.match(/[a-z]{4,}/gi) ?? []).length >= 3
  return [
    ...(isNamed || !hasWords ? [] : [{ kind: 'file not named' as const, decoy: null }]),
    ...(decoy === null || isNamed || !hasWords
      ? []
      : [{ kind: 'misleading name' as const, decoy }]),
    { kind: 'needs a test run', decoy: null },
    ...(hasWords ? [{ kind: 'one file' as const, decoy: null }] : []),
  ].toSorted(
    (a, b) =>
      hash(`${seed} ${a.kind} ${first.after.length}`) -
      hash(`${seed} ${b.kind} ${first.after.length}`),
  ) as readonly { kind: Kind; decoy: string | null }[]
}

/** The file of the same folder whose name is nearest in length and letters. */
function similarFile(
  language: Language,
  files: ReadonlyMap<string, string>,
  { path }: SolvedFile,
): string | null {
  const letters = new Set(basename(path))
  const common = (other: string) =>
    [...new Set(basename(other))].filter((letter) => letters.has(letter)).length
  const others = [...files.keys()].filter(
    (other) =>
      other !== path &&
      isProduct(language, other) &&
      dirname(other) === dirname(path) &&
      !/__init__|index|doc\.go/.test(other) &&
      (files.get(other) ?? '').length > 200,
  )
  return others.toSorted((a, b) => common(b) - common(a) || (a < b ? -1 : 1))[0] ?? null
}

/** Red before, green after, red with a slip; `null` where it is otherwise. */
async function check(language: Language, matter: Matter): Promise<Checked | null> {
  const root = join(workplace, 'tree')
  const cache = join(workplace, 'cache')
  const subject = { language, command: matter.command }
  const solved = (solution: readonly SolvedFile[]) =>
    solution.map(({ path, after }) => [path, after] as const)
  await remove(root)
  await writeTree(root, matter.files)
  const before = await runTests(root, subject, cache)
  if (before.isGreen || before.isTimedOut || before.signs.length === 0) return null
  await writeTree(root, solved(matter.solution))
  const after = await runTests(root, subject, cache)
  if (!after.isGreen) return null
  const count = Math.max(...matter.solution.map(({ part }) => part)) + 1
  const parts: Part[] = []
  for (let part = 0; part < count; part += 1) {
    const found: Part['slips'][number][] = []
    for (const slip of candidates(matter.solution, part)) {
      const text = withSlip(matter.solution[slip.file]?.after ?? '', slip)
      if (text === null) continue
      await writeTree(root, [
        ...solved(matter.solution),
        [matter.solution[slip.file]?.path ?? '', text],
      ])
      const run = await runTests(root, subject, cache)
      if (!run.isGreen && !run.isTimedOut && run.signs.length > 0)
        found.push({ ...slip, signs: [...run.signs] })
      if (found.length === 2) break
    }
    if (found.length === 0) return null
    parts.push({ slips: found })
  }
  return { matter, signs: [...before.signs], parts }
}

function candidates(solution: readonly SolvedFile[], part: number) {
  const all = solution.flatMap((file, index) =>
    file.part !== part
      ? []
      : addedLines(file).flatMap((line) =>
          [...rules.keys(), -1].flatMap((rule) =>
            withSlip(file.after, { line, rule }) === null ||
            isRemark(file.after.split('\n')[line] ?? '')
              ? []
              : [{ file: index, line, rule }],
          ),
        ),
  )
  const ruled = shuffle(
    all.filter(({ rule }) => rule !== -1),
    `slips ${all.length}`,
  )
  const leftOut = shuffle(
    all.filter(({ rule }) => rule === -1),
    `left out ${all.length}`,
  )
  return [...ruled.slice(0, mostTried - 3), ...leftOut].slice(0, mostTried)
}

function isRemark(line: string): boolean {
  return noCode.test(line) || line.trim().length < 3
}

function shuffle<T>(list: readonly T[], name: string): T[] {
  const random = createRandom(hash(`${seed} ${name}`))
  return list
    .map((value) => ({ value, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
}
