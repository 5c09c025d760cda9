import type { openPolicyGate } from '../../../packages/judge/judge.ts'
import { closestPath, isPlainTest, tidyPath } from '../../../packages/source/source.ts'
import { isSettled, type Task } from '../../../packages/task/task.ts'
import { clip, looksLikePath, tellingWords } from '../../../packages/text/text.ts'
import type { Plan } from '../../core/domain/attempt.ts'
import { orderParts } from './order-parts.ts'

/** The task of a plan, and the gate to the files that it may change. */
export interface PlanGround {
  readonly task: Task
  readonly gate: ReturnType<typeof openPolicyGate>
}

export interface JudgedPlan {
  /** The plan without its faulty parts; `null` when neither a file nor a step is left. */
  readonly plan: Plan | null
  /** Broken rules, in sentences for the model; empty for a sound plan. */
  readonly faults: readonly string[]
  /** Smaller is better, the first number first: wrong paths and needs, lines of the task left out, files, steps. */
  readonly rank: readonly [number, number, number, number]
}

const mostFaults = 6
/** In characters, of one fault. */
const longestFault = 200

/**
 * Judges a plan by rules: its files exist or may be created, are in scope and unprotected; it has steps, in an order
 * that their needs allow; and it concerns every open subtask and every missing file of an accept command. A wrong
 * path becomes the file that was meant when only one is likely.
 */
export function judgePlan(plan: Plan, ground: PlanGround): JudgedPlan {
  const { path, faults: wrongPaths } = checkPaths(plan.files, ground)
  const right = (files: readonly string[]) => [...new Set(files.flatMap((file) => path(file)))]
  const ordered = orderParts(plan.parts ?? [])
  const parts = ordered.parts.map((part) => ({ ...part, files: right(part.files) }))
  const { parts: _, ...others } = plan
  const good: Plan = {
    ...others,
    files: right(plan.files),
    // The steps are written in the order of their needs.
    steps: parts.length > 0 ? parts.map(({ does }) => does) : plan.steps,
    ...(parts.length > 0 && { parts }),
  }
  const missing = uncovered(good, ground)
  const stepless = plan.steps.length === 0 ? ['it has no steps'] : []
  const faults = [...wrongPaths, ...stepless, ...ordered.faults, ...missing]
  return {
    plan: good.files.length + good.steps.length === 0 ? null : good,
    faults: faults.slice(0, mostFaults).map((fault) => clip(fault, longestFault)),
    rank: [
      wrongPaths.length + stepless.length + ordered.faults.length,
      missing.length,
      good.files.length === 0 ? Number.MAX_SAFE_INTEGER : good.files.length,
      good.steps.length < fewestSteps || good.steps.length > manySteps ? 1 : 0,
    ],
  }
}

/** A plan of one step says no more than the task; one of more than seven is no short plan. */
const fewestSteps = 2
const manySteps = 7

/** Negative when the first is better. */
export function comparePlans(one: JudgedPlan, other: JudgedPlan): number {
  const index = one.rank.findIndex((value, at) => value !== other.rank[at])
  return index < 0 ? 0 : (one.rank[index] ?? 0) - (other.rank[index] ?? 0)
}

/** Judges all paths at once: the gate's look at a large tree takes time. What a new test tests is not known yet. */
function checkPaths(files: readonly string[], { gate }: PlanGround) {
  const known = [...gate.modes.keys()]
  const { tests = [], others = [] } = Object.groupBy(files.map(tidyPath), (path) =>
    isPlainTest(path) && !gate.modes.has(path) ? 'tests' : 'others',
  )
  const objections = new Map([...gate.objectionsTo(others), ...gate.unscoped.objectionsTo(tests)])
  const meant = new Map(
    [...objections.keys()].flatMap((file) => {
      const found = gate.modes.has(file) ? null : closestPath(file, known)
      return found === null ? [] : [[file, found] as const]
    }),
  )
  const unfit = gate.objectionsTo([...meant.values()])
  const right = (file: string): readonly string[] => {
    const tidied = tidyPath(file)
    if (!objections.has(tidied)) return [tidied]
    const found = meant.get(tidied)
    return found === undefined || unfit.has(found) ? [] : [found]
  }
  const faults = [...objections].flatMap(([file, why]) =>
    right(file).length > 0 ? [] : [`${clip(file, longestPath)}: ${why}`],
  )
  return { path: right, faults }
}

/** In characters, of a path in a fault. */
const longestPath = 80

/** The lines of the task that no step and no file is about. One shared word is enough: people and models reword. */
function uncovered({ files, steps }: Plan, { task, gate }: PlanGround): readonly string[] {
  const said = new Set(tellingWords([...files, ...steps].join('\n')))
  const isAbout = (words: readonly string[]) =>
    words.length === 0 || words.some((word) => said.has(word))
  const subtasks = task.subtasks
    .filter((subtask) => !isSettled(subtask) && !isAbout(tellingWords(subtask.title)))
    .map(({ title }) => `no step is about "${clip(title, longestPath)}"`)
  const accepts = task.accept.flatMap((command) =>
    pathsIn(command)
      .filter((path) => !gate.modes.has(path) && !isAbout(tellingWords(path)))
      .map((path) => `no step makes ${clip(path, longestPath)}, which must pass`),
  )
  return [...subtasks, ...accepts]
}

const pathsIn = (command: string): readonly string[] =>
  command
    .split(/[\s;&|()"'`=]+/)
    .map(tidyPath)
    .filter((word) => looksLikePath(word, 'word'))
