import type { Diagnosis } from '../../core/domain/diagnosis.ts'
import type { Classification, Failure } from '../../core/domain/run-state.ts'
import type { Task } from '../../core/domain/task.ts'
import { findLack, setUpFailed } from '../../text/diagnosis/diagnose.ts'
import { installCommandFor, missingModules } from '../../verify/prepare/missing-module.ts'
import { bringersOf } from './find-bringers.ts'

export interface Evidence {
  readonly failure: Failure
  /** The other tasks that are still to do. */
  readonly others: readonly Task[]
  /** What exists in the attempt's tree. */
  readonly paths: ReadonlySet<string>
}

/** A model that asks back has not been told enough. */
const vaguePattern =
  /could you (please )?(clarify|specify|provide)|need more (information|details|context)|not clear (what|which|how)|which file/i

/**
 * The reason of a failure where its text leaves no doubt, else `null`. A missing local module
 * that a later task names is `missing_dependency`; a package that is not installed is
 * `environment_issue` with the command that installs it (graph.md, Reasons).
 */
export function classifyByPattern(evidence: Evidence): Classification | null {
  const { failure } = evidence
  const text = [
    failure.message,
    ...failure.failures.flatMap(({ message, errorType }) => [message, errorType ?? '']),
    failure.output,
  ].join('\n')
  if (failure.at === 'too_large') return reason('task_too_complex', failure.message)
  return (
    classifyMissing(evidence, failure.output) ??
    classifyEnvironment(
      failure.diagnosis?.kind === 'set-up' ? failure.diagnosis : findLack(text),
    ) ??
    classifyVague(failure)
  )
}

function classifyMissing(
  { failure, others, paths }: Evidence,
  output: string,
): Classification | null {
  const told = [failure.message, ...failure.failures, output]
  const exists = (path: string) => paths.has(path) || isFolder(path, paths)
  for (const missing of missingModules(told, exists)) {
    const suppliedBy = bringersOf(missing, others)
    if (suppliedBy.length > 0) {
      const explanation = `It needs '${missing.specifier}', which ${suppliedBy.join(', ')} will bring.`
      return { ...reason('missing_dependency', explanation), suppliedBy }
    }
    if (missing.kind === 'package') {
      const { specifier, language } = missing
      const found = setUpFailed(`The package '${specifier}' is not installed.`)
      const install = installCommandFor(missing, paths)
      return classifyEnvironment({ ...found, lacks: specifier, language, install })
    }
  }
  return null
}

function isFolder(path: string, paths: ReadonlySet<string>): boolean {
  return [...paths].some((each) => each.startsWith(`${path}/`))
}

/** Characters. */
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
