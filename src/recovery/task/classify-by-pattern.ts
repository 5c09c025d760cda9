import { contentAfter, openTree } from '../../../packages/change/change.ts'
import { type Diagnosis, findLack, setUpFailed } from '../../../packages/diagnosis/diagnosis.ts'
import { missingModules, packagesOf } from '../../../packages/judge/judge.ts'
import { importedFiles, isDeclaring } from '../../../packages/source/source.ts'
import { membersOf, suppliersOf, type Task, taskPaths } from '../../../packages/task/task.ts'
import type { Attempt, Classification, Failure } from '../../core/domain/attempt.ts'
import type { Ports } from '../../core/ports.ts'

import { lookalikeOf } from './judge-packages.ts'

export interface Evidence {
  readonly failure: Failure
  /** The other open tasks. */
  readonly others: readonly Task[]
  /** Paths in the attempt's tree. */
  readonly paths: ReadonlySet<string>
  /** Packages that the project declares. */
  readonly present?: readonly string[]
  /** The task's own words. */
  readonly words?: string
  /** Files that the change imports, that are not there, and that other tasks name. */
  readonly awaited?: readonly string[]
}

/** A model that asks back lacks information. */
const vaguePattern =
  /could you (please )?(clarify|specify|provide)|need more (information|details|context)|not clear (what|which|how)|which file/i

/**
 * Returns the reason of a failure when its text leaves no doubt, else `null`. A missing local module that a later
 * task names is `missing_dependency`; a package that is not installed is `environment_issue` with the command that
 * installs it (graph.md, Reasons).
 */
export function classifyByPattern(evidence: Evidence): Classification | null {
  const { failure } = evidence
  const text = [
    failure.message,
    ...failure.failures.flatMap(({ message, errorType }) => [message, errorType ?? '']),
    failure.output,
  ].join('\n')
  if (failure.at === 'too_large' || failure.at === 'too_complex') {
    return reason('task_too_complex', failure.message)
  }
  return (
    classifyMissing(evidence, failure.output) ??
    classifyEnvironment(
      failure.diagnosis?.kind === 'set-up' ? failure.diagnosis : findLack(text),
    ) ??
    classifyVague(failure)
  )
}

function classifyMissing(
  { failure, others, paths, present = [], words = '', awaited = [] }: Evidence,
  output: string,
): Classification | null {
  const told = [failure.message, ...failure.failures, output]
  for (const missing of missingModules(told, paths)) {
    const bringers = bringersOf(missing, others)
    if (bringers.length > 0) {
      // A program stops at the first module that is missing.
      const more = awaited.flatMap((path) => suppliersOf(path, others))
      const suppliedBy = [...new Set([...bringers, ...more])]
      const explanation = `It needs '${missing.specifier}', which ${suppliedBy.join(', ')} will bring.`
      return { ...reason('missing_dependency', explanation), suppliedBy }
    }
    if (missing.kind === 'package') {
      const { specifier, language, install } = missing
      const twin = words.includes(specifier) ? null : lookalikeOf(specifier, present)
      // Most likely the model misspelled it, and the name may be a trap: no install command.
      if (twin !== null && !present.includes(specifier)) {
        return reason('unknown', `It imports '${specifier}', but the project has '${twin}'.`)
      }
      const found = setUpFailed(`The package '${specifier}' is not installed.`)
      return classifyEnvironment({ ...found, lacks: specifier, language, install })
    }
  }
  return null
}

/** In characters. */
const longestExplanation = 300

function classifyEnvironment(diagnosis: Diagnosis | null): Classification | null {
  if (diagnosis === null) return null
  const { message, install: installCommand } = diagnosis
  const advice = installCommand === null ? '' : `. Install it: ${installCommand}`
  const words = advice === '' ? message : message.replace(/\.$/, '') + advice
  const explanation = words.slice(0, longestExplanation)
  return { ...reason('environment_issue', explanation), installCommand, diagnosis }
}

function classifyVague({ at, output }: Failure): Classification | null {
  if (at !== 'repairs_spent') return null
  const question = output.split('\n').find((line) => vaguePattern.test(line))
  return question === undefined
    ? null
    : reason('task_too_vague', `The model asked back: ${question.trim().slice(0, 300)}`)
}

function reason(name: Classification['reason'], explanation: string): Classification {
  return { reason: name, explanation, by: 'pattern', installCommand: null, suppliedBy: [] }
}

/** The other open tasks, and the paths in the attempt's tree. */
export async function lookAround(
  { task, start, draft }: Attempt,
  open: readonly Task[],
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<Omit<Evidence, 'failure'>> {
  const tree = await openTree(start.sha, workspace)
  const changes = draft?.changes ?? []
  const paths = new Set([...tree.files, ...changes].map(({ path }) => path))
  const own = membersOf(task)
  const others = open.filter(({ id }) => own.every((member) => member.id !== id))
  const named = new Set(others.flatMap(taskPaths))
  const isAwaited = (path: string) => named.has(path) && !paths.has(path)
  return {
    others,
    paths,
    awaited: changes.flatMap((change) =>
      importedFiles(change.path, contentAfter(change) ?? '', isAwaited),
    ),
    present: await (await packagesOf(tree)).declared(),
    words: `${task.title}\n${task.details}`,
  }
}

/**
 * True when no code could make the tests pass: a file from another task is missing, or a package that the project
 * declares or the task asks for is not installed. A package that only the model chose is worth a repair.
 */
export async function isBeyondRepair(
  attempt: Attempt,
  failure: Failure,
  open: readonly Task[],
  ports: Pick<Ports, 'workspace'>,
): Promise<boolean> {
  const { task, start } = attempt
  const around = await lookAround(attempt, open, ports)
  const { paths } = around
  const known = classifyByPattern({ failure, ...around })
  if (known?.reason === 'missing_dependency') return true
  if (known?.installCommand == null) return false
  const manifests = [...paths].filter((path) => isDeclaring(path) && !path.includes('/'))
  const declared = await ports.workspace.readFiles(start.sha, manifests)
  const texts = [task.title, task.details, ...declared.values()]
  const asked = new Set(texts.flatMap((text) => text.split(/[^\w@/.-]+/)))
  return missingModules([failure.message, ...failure.failures, failure.output], paths).some(
    ({ kind, specifier }) => kind === 'package' && asked.has(specifier),
  )
}

type MissingModule = ReturnType<typeof missingModules>[number]

const sources: Readonly<Record<MissingModule['language'], RegExp>> = {
  javascript: /\.(?:[cm]?[jt]sx?|vue|svelte|json)$/,
  python: /\.pyi?$/,
  go: /\.go$/,
  rust: /\.rs$/,
  java: /\.(?:java|kt|groovy|scala)$/,
  ruby: /\.rb$/,
  php: /\.php$/,
  csharp: /\.cs$/,
  c: /\.(?:[ch]|cc|cpp|cxx|hh|hpp|hxx)$/,
}

const isOpen = ({ status }: Task): boolean => status !== 'done' && status !== 'cancelled'

/** Folders in which a project's own module of that name would be. */
const homes = ['', 'src/', 'lib/', 'app/']

/**
 * The open tasks that will create this module. Only in JavaScript does the specifier itself show that it means a
 * project file; elsewhere a task must name the file.
 */
function bringersOf(missing: MissingModule, others: readonly Task[]): readonly string[] {
  const { language, kind, path, specifier } = missing
  const able = others.filter((task) => taskPaths(task).some((each) => sources[language].test(each)))
  if (language === 'java') {
    const inside = `/${specifier.replaceAll('.', '/')}/`
    const inPackage = able.filter((task) =>
      taskPaths(task).some((each) => `/${each}`.includes(inside)),
    )
    if (inPackage.length > 0) return inPackage.filter(isOpen).map(({ id }) => id)
  }
  if (kind === 'local') return suppliersOf(path ?? specifier, others)
  if (language === 'javascript') return []
  if (/[./:\\]/.test(specifier)) return suppliersOf(specifier.replaceAll('\\', '/'), able)
  const own = homes.map((home) => home + specifier)
  const isOwn = (named: string) =>
    sources[language].test(named) &&
    own.includes(named.replace(/(?:\/(?:__init__|mod))?\.\w+$/, ''))
  const bringing = able.filter((task) => taskPaths(task).some(isOwn))
  return suppliersOf(specifier, bringing)
}
