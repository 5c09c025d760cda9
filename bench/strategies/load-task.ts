/** Makes a task of the manifest whole again, from a clone of the repository that it comes from. */
import { git } from '../../harness/git.ts'
import { readTree } from './read-tree.ts'
import {
  globalsFile,
  globalsText,
  isProduct,
  isTest,
  type Language,
  testCommand,
} from './sources.ts'
import type { SolvedFile, Task, TaskEntry } from './task.ts'

type Texts = ReadonlyMap<string, string>

/** What a commit or some exercises say, before a kind is chosen. */
export interface Matter {
  readonly subject: string
  readonly files: Texts
  readonly solution: readonly SolvedFile[]
  readonly tests: readonly string[]
  readonly command: string
}

export async function loadTask(clone: string, entry: TaskEntry): Promise<Task> {
  const matter =
    entry.exercises.length > 0
      ? await readExercises(clone, entry.sha, entry.language, entry.exercises)
      : await readCommit(clone, entry.sha, entry.language)
  if (matter === null) throw new Error(`${entry.id}: ${entry.sha} cannot be read in ${clone}`)
  const { solution, tests, command } = matter
  const text = textOf(entry, matter)
  if (entry.kind !== 'file not named')
    return { ...entry, text, files: matter.files, solution, tests, command, accept: command }
  const { files, accept } = withoutPaths(entry.language, matter)
  return { ...entry, text, files, solution, tests, command, accept }
}

/** The same tests by a command that names no file. */
function withoutPaths(
  language: Language,
  { files, tests, command }: Matter,
): { readonly files: Texts; readonly accept: string } {
  if (language === 'python') {
    const settings = `${files.get('pytest.ini') ?? ''}testpaths = ${tests.join(' ')}\n`
    return { files: new Map([...files, ['pytest.ini', settings]]), accept: 'python3 -m pytest -q' }
  }
  if (language !== 'javascript') return { files, accept: command }
  const manifest: Record<string, unknown> = JSON.parse(files.get('package.json') ?? '{}')
  const text = `${JSON.stringify({ ...manifest, scripts: { test: command } }, null, 2)}\n`
  return { files: new Map([...files, ['package.json', text]]), accept: 'npm test' }
}

/** The one line that the roadmap has of it. */
function textOf({ kind, decoy }: Pick<TaskEntry, 'kind' | 'decoy'>, matter: Matter): string {
  const { solution, tests } = matter
  const subject = matter.subject.replace(/[\s.:]+$/, '')
  const named = (paths: readonly string[]) => paths.map((path) => `\`${path}\``).join(', ')
  const paths = named(solution.map(({ path }) => path))
  switch (kind) {
    case 'one file':
    case 'many files':
      return `${subject}. Change ${paths}`
    case 'file not named':
      return subject
    case 'needs a test run':
      return `Make ${named(tests)} pass: the fault is in ${paths}`
    case 'misleading name':
      return `${subject}. Change ${named([decoy ?? ''])}`
    case 'too big':
      return `Implement ${paths}, so that ${named(tests)} pass`
  }
}

/** How a project is installed is no part of a task. */
const setUp =
  /(?:^|\/)(?:\.github\/|pyproject\.toml$|setup\.(?:py|cfg)$|tox\.ini$|pytest\.ini$|requirements[^/]*\.txt$|uv\.lock$|package-lock\.json$|yarn\.lock$|pnpm-lock\.yaml$|\.npmrc$|Makefile$|\.eslint[^/]*$|ROADMAP\.md$)|^requirements\//

function atStart(language: Language, tree: Texts, tests: Texts): Texts {
  const kept = new Map([...tree].filter(([path]) => !setUp.test(path)))
  for (const [path, text] of tests) kept.set(path, text)
  if (language === 'python') kept.set('pytest.ini', '[pytest]\npythonpath = . src\n')
  if (language === 'javascript') {
    kept.set(globalsFile, globalsText)
    kept.set('package.json', bareManifest(kept.get('package.json') ?? '{}'))
  }
  return kept
}

function bareManifest(text: string): string {
  const { name, version, type, main, exports }: Record<string, unknown> = JSON.parse(text)
  return `${JSON.stringify({ name, version, type, main, exports }, null, 2)}\n`
}

/** A commit's change to the product as the solution, and its tests in the tree that it starts from. */
export async function readCommit(
  clone: string,
  sha: string,
  language: Language,
): Promise<Matter | null> {
  const said = await git(clone, 'show', '-s', '--format=%P%n%s', sha)
  const [parent = '', subject = ''] = said.split('\n')
  const listed = await git(
    clone,
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--name-status',
    parent,
    sha,
  )
  const changed = [...listed.matchAll(/([A-Z])\0([^\0]+)\0?/g)].map(([, how = '', path = '']) => ({
    ...{ how, path },
  }))
  const product = changed.filter(({ path }) => isProduct(language, path))
  const tests = changed.filter(({ path, how }) => isTest(language, path) && how !== 'D')
  if (product.length === 0 || product.some(({ how }) => how === 'D')) return null
  const [before, after] = [await readTree(clone, parent), await readTree(clone, sha)]
  const solution: SolvedFile[] = []
  for (const { path } of product) {
    const text = after.get(path)
    if (text === undefined) return null
    solution.push({ path, before: before.get(path) ?? null, after: text, part: 0 })
  }
  const testTexts = new Map(
    tests.flatMap(({ path }) => {
      const text = after.get(path)
      return text === undefined ? [] : [[path, text] as const]
    }),
  )
  const runnable = [...testTexts.keys()].filter((path) => isRun(language, path))
  if (runnable.length === 0) return null
  return {
    subject: subject.replace(/\s*\(#\d+\)$/, '').replace(/^\w+(?:\([^)]*\))?!?:\s+/, ''),
    files: atStart(language, before, testTexts),
    solution,
    tests: runnable,
    command: testCommand(language, runnable),
  }
}

const isRun = (language: Language, path: string): boolean =>
  isTest(language, path) &&
  (language === 'python' ? /(?:^|\/)test_[^/]*\.py$/.test(path) : /\.(?:[cm]?js|go)$/.test(path))

interface ExerciseSettings {
  readonly blurb?: string
  readonly files: {
    readonly solution: readonly string[]
    readonly test: readonly string[]
    readonly example?: readonly string[]
  }
}

/** Exercises side by side in one repository, their references as the solution. */
export async function readExercises(
  clone: string,
  sha: string,
  language: Language,
  names: readonly string[],
): Promise<Matter | null> {
  const files = new Map<string, string>()
  const solution: SolvedFile[] = []
  const tests: string[] = []
  const blurbs: string[] = []
  for (const [part, name] of names.entries()) {
    const folder = `${language}/exercises/practice/${name}/`
    const tree = await readTree(clone, sha, folder)
    const text = (path: string) => tree.get(`${folder}${path}`)
    const settings: ExerciseSettings = JSON.parse(text('.meta/config.json') ?? '{"files":{}}')
    const { solution: all = [], test = [], example = [] } = settings.files
    const solved = all.filter((path) => isProduct(language, path))
    if (solved.length !== example.length || text('.meta/Cargo-example.toml') !== undefined)
      return null
    for (const [path, content] of tree) {
      const own = path.slice(folder.length)
      if (!/^(?:\.|go\.mod$|LICENSE)/.test(own)) files.set(`${name}/${own}`, content)
    }
    for (const [index, path] of solved.entries()) {
      const after = text(example[index] ?? '')
      if (after === undefined) return null
      solution.push({ path: `${name}/${path}`, before: text(path) ?? null, after, part })
    }
    tests.push(...test.map((path) => `${name}/${path}`))
    blurbs.push(settings.blurb ?? name)
  }
  if (language === 'go') files.set('go.mod', 'module exercises\n\ngo 1.21\n')
  if (language === 'rust') {
    files.set('Cargo.toml', `[workspace]\nresolver = "2"\nmembers = ${JSON.stringify(names)}\n`)
    files.set('.gitignore', 'target/\n')
  }
  const ready = language === 'python' ? atStart(language, files, new Map()) : files
  const runnable = language === 'rust' ? tests : tests.filter((path) => isRunExercise(path))
  return {
    ...{ subject: blurbs.join(' '), files: ready, solution, tests: runnable },
    command: testCommand(language, runnable),
  }
}

const isRunExercise = (path: string): boolean => /_test\.(?:py|go)$/.test(path)
