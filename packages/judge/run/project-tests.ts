import type { Tree } from '../../change/change.ts'
import { adviceFor, missingProgramIn } from '../../diagnosis/diagnosis.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Rules } from '../judging.ts'
import { openProject, type Project } from '../prepare/open-project.ts'
import { planDependencies } from '../prepare/plan-dependencies.ts'
import { findNotStarting } from './verify-folder.ts'

/** A program that this repository's tests need, its error if it does not start, and a remedy. */
export interface TriedProgram {
  readonly name: string
  readonly problem: string | null
  readonly next: string
}

const isThere = (name: string): TriedProgram => ({ name, problem: null, next: '' })

const bare = { command: { argv: [] }, plain: null }

/** How a tree is tested, whichever task changes it. */
export async function testsOf(tree: Pick<Tree, 'paths' | 'read'>, verify: Rules['verify']) {
  const project = await openProject(tree, { verify: null, accept: [] }, verify)
  return {
    /** As a person types them, in running order. */
    commands: project.suites.map(({ display }) => display),
    /** @param folder absolute, and empty: nothing of the tree is needed */
    tryPrograms: (folder: string, sandbox: Pick<Sandbox, 'run' | 'has'>) =>
      tryPrograms(project, verify, folder, sandbox),
  }
}

/** Starts each program that the tests need in the sandbox, as a run does before it asks a model. */
async function tryPrograms(
  { repository, suites }: Project,
  verify: Rules['verify'],
  folder: string,
  sandbox: Pick<Sandbox, 'run' | 'has'>,
): Promise<readonly TriedProgram[]> {
  const plans =
    suites.length === 0 ? [] : await planDependencies(repository, verify, sandbox.has, suites)
  const installers = plans.filter(({ source }) => source !== null)
  const tried = new Map<string, TriedProgram>()
  for (const name of new Set(suites.flatMap(({ needs }) => needs))) tried.set(name, isThere(name))
  for (const suite of suites) {
    // Dependencies are not installed yet, so a suite with an installer needs only its runtime.
    const own = installers.length > 0 ? { ...suite, ...bare } : { ...suite, directory: '.' }
    const place = { folder, mounts: [], network: false }
    for (const { name, lastLine } of await findNotStarting(own, place, { sandbox })) {
      tried.set(name, await describe(name, lastLine, sandbox))
    }
  }
  for (const { program, isAvailable, gotBy } of installers) {
    const next = gotBy === undefined ? adviceFor(program).trim() : `Install it: ${gotBy}`
    const lacking = { name: program, problem: 'it was not found', next }
    tried.set(program, isAvailable ? (tried.get(program) ?? isThere(program)) : lacking)
  }
  return [...tried.values()]
}

async function describe(name: string, said: string, sandbox: Pick<Sandbox, 'has'>) {
  if (said === '' || missingProgramIn(said) === name || !(await sandbox.has(name))) {
    return { name, problem: 'it was not found', next: adviceFor(name).trim() }
  }
  const next = `Put the folder on PATH in which ${name} is installed, not only a shim of it.`
  return { name, problem: said, next }
}
