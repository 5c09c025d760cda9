import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Exercise, languageOf } from './exercise.ts'

/** Settings of an exercise that stands alone; here all share those of the root. */
const ofOne =
  /^(?:\.meta|\.docs|\.npmrc|\.eslintrc.*|babel\.config\.js|package\.json|package-lock\.json|go\.mod|go\.sum|LICENSE|node_modules)(?:\/|$)/

export interface ReadExercises {
  readonly exercises: readonly Exercise[]
  /** Texts of the first exercise's own settings, by name, for the root. */
  readonly settings: Readonly<Record<string, string>>
  /** Names of those that have no reference for each file of the solution. */
  readonly passedOver: readonly string[]
}

/** Reads a folder with `exercises/practice/<name>/.meta/config.json`, in the order of names. */
export async function readExercises(directory: string): Promise<ReadExercises> {
  const practice = join(directory, 'exercises/practice')
  const names = (await readdir(practice)).toSorted()
  const read = await Promise.all(names.map((name) => readExercise(join(practice, name), name)))
  const exercises = read.filter((exercise) => exercise !== null)
  const passedOver = names.filter((_, index) => read[index] === null)
  const first = join(practice, exercises[0]?.name ?? '')
  const settings: Record<string, string> = {}
  for (const name of ['package.json', 'babel.config.js', 'go.mod']) {
    const text = await readFile(join(first, name), 'utf8').catch(() => null)
    if (text !== null) settings[name] = text
  }
  return { exercises, settings, passedOver }
}

async function readExercise(folder: string, name: string): Promise<Exercise | null> {
  const config: {
    files: { solution: string[]; test: string[]; example?: string[]; exemplar?: string[] }
  } = JSON.parse(await readFile(join(folder, '.meta/config.json'), 'utf8'))
  const { solution, test } = config.files
  const references = config.files.example ?? config.files.exemplar ?? []
  const language = languageOf(solution[0] ?? '')
  if (language === null || references.length !== solution.length) return null
  const text = (path: string) => readFile(join(folder, path), 'utf8')
  const own = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !ofOne.test(path))
  const files = await Promise.all(
    own.map(async (path) => [`${name}/${path}`, await text(path)] as const),
  )
  const referenceOf = (path: string, index: number) =>
    references.find((reference) => basename(reference) === basename(path)) ?? references[index]
  const solutions = await Promise.all(
    solution.map(async (path, index) => ({
      path: `${name}/${path}`,
      stub: await text(path),
      reference: await text(referenceOf(path, index) ?? ''),
    })),
  )
  const tests = test.map((path) => `${name}/${path}`)
  return { name, language, solutions, tests, files: Object.fromEntries(files) }
}
