/**
 * Faults against whole processes: the bundled command line and the bundled Action, with real git, a GitHub
 * and a model on loopback. Each case starts the program, lets one thing go wrong, starts it again, and
 * compares the end with that of a run that nothing disturbed.
 */
import { choose } from './choose-cases.ts'
import { cancelCases, checkCancel, describeCancel } from './processes/cancel-cases.ts'
import { checkFile, describeFile, fileCasesOf, stateCasesOf } from './processes/file-cases.ts'
import { checkGit, describeGit, gitCasesOf } from './processes/git-cases.ts'
import {
  type Courses,
  checkKill,
  describeKill,
  killCasesOf,
  playCourse,
} from './processes/kill-cases.ts'

export interface ProcessCase {
  readonly level: string
  readonly fault: string
  readonly name: string
  check(): Promise<readonly string[]>
}

/** How it goes when nothing goes wrong; with so many steps of the Action. */
export async function playCourses(steps = 2): Promise<Courses> {
  const [action, cli] = await Promise.all([playCourse('action', steps), playCourse('cli')])
  const [tools, lanes] = await Promise.all([playCourse('tools'), playCourse('lanes')])
  return { action, cli, tools, lanes }
}

/** Everything that can go wrong. */
export function processCasesOf(courses: Courses): readonly ProcessCase[] {
  const kills = killCasesOf(courses).map((one) => ({
    level: `${one.way}: killed at a request`,
    fault:
      one.to === 'tests'
        ? 'killed in its tests'
        : `killed ${one.when} a request to ${one.to === 'model' ? 'the model' : 'GitHub'}`,
    name: describeKill(one),
    check: () => checkKill(one, courses),
  }))
  const cancels = cancelCases.map((one) => ({
    level: `${one.way}: cancelled`,
    fault: one.moment.name,
    name: describeCancel(one),
    check: () => checkCancel(one, courses),
  }))
  const gits = gitCasesOf(courses.cli).map((one) => ({
    level: 'cli: git',
    fault: one.fault,
    name: describeGit(one),
    check: () => checkGit(one, courses.cli),
  }))
  const files = fileCasesOf(courses.cli).map((one) => ({
    level: 'cli: files',
    fault: one.fault,
    name: describeFile(one),
    check: () => checkFile(one, courses.cli),
  }))
  const states = stateCasesOf(courses.tools).map((one) => ({
    level: 'tools: files',
    fault: one.fault,
    name: `tools: ${describeFile(one)}`,
    check: () => checkFile(one, courses.tools, true),
  }))
  return [...kills, ...cancels, ...gits, ...files, ...states]
}

/** Each has processes of its own: two at a time. */
const atOnce = 2

/** Plays them; `tell` hears of each what was wrong with it. */
export async function playProcessCases(
  cases: readonly ProcessCase[],
  tell: (played: ProcessCase, wrong: readonly string[]) => void,
): Promise<void> {
  const waiting = [...cases]
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      tell(one, await one.check().catch((error: unknown) => [`it cannot be played: ${error}`]))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** So many, of each fault one before any second one. */
export const sampleOf = (cases: readonly ProcessCase[], count: number): readonly ProcessCase[] =>
  choose(cases, count, 3, ({ level, fault }) => `${level} ${fault}`)
