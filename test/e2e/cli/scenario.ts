import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type CliResult, createProject, type Files, leftovers, type Project } from './bench.ts'
import { photograph } from './look-at-disk.ts'
import { type Answers, type Model, startModel } from './model.ts'

export interface Scenario {
  readonly files: Files
  readonly answers: Answers
  /** After `run`. */
  readonly args?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
  readonly name?: string
  readonly plainJson?: boolean
  /** Last changes to the repository before the run. */
  readonly prepare?: (project: Project) => void
}

export interface Played extends AsyncDisposable {
  readonly project: Project
  readonly model: Model
  readonly result: CliResult
}

/** Plays a scenario through `executor run`, and checks what must be true after any run. */
export async function play(scenario: Scenario): Promise<Played> {
  const project = createProject(scenario.files, scenario.name)
  const model = await startModel(scenario.answers, { ignoresStream: scenario.plainJson ?? false })
  const close = async () => {
    await model[Symbol.asyncDispose]()
    project[Symbol.dispose]()
  }
  try {
    scenario.prepare?.(project)
    const result = await runAndCheck(project, model, scenario)
    return { project, model, result, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

async function runAndCheck(
  project: Project,
  model: Model,
  { args = [], variables }: Scenario,
): Promise<CliResult> {
  const before = ownTree(project)
  const result = await project.run(['run', ...args], { ...model.variables, ...variables })
  expect(ownTree(project), result.stderr).toEqual(before)
  expect([0, 1, 3, 4], result.stderr).toContain(result.code)
  if (!args.includes('--json')) expect(result.stdout).toBe('')
  expect(leftovers(project), result.stderr).toEqual([])
  expect(existsSync(join(project.path, '.executor/report.json')), result.stderr).toBe(true)
  expect(project.git('check-ignore', '.executor/report.json')).toBe('.executor/report.json')
  checkReport(project, model)
  checkBranches(project)
  return result
}

/** All that is the user's: HEAD, branches of theirs, index, files with their times. */
export function ownTree(project: Project) {
  const { git, path } = project
  return {
    head: git('rev-parse', 'HEAD'),
    at: git('rev-parse', '--symbolic-full-name', 'HEAD'),
    refs: git('show-ref')
      .split('\n')
      .filter((line) => !/ refs\/heads\/(?:agent|executor)\//.test(line)),
    status: git('status', '--porcelain', '--ignored=no'),
    files: [...photograph(path)].filter(
      ([name]) =>
        name === '.git/index' || name === '.git/config' || !/^\.(git|executor)(\/|$)/.test(name),
    ),
  }
}

/** The figures add up, and are those that the server gave. */
export function checkReport(project: Project, model: Pick<Model, 'tokens'>): void {
  const { nodes, tasks, usage, durationSeconds } = project.report()
  const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0)
  expect(usage.promptTokens + usage.completionTokens).toBe(model.tokens())
  expect(sum(nodes.map(({ tokens }) => tokens))).toBe(model.tokens())
  expect(sum(tasks.map(({ tokens }) => tokens))).toBe(model.tokens())
  expect(sum(nodes.map(({ share }) => share))).toBeCloseTo(100, 6)
  expect(sum(nodes.map(({ seconds }) => seconds))).toBeCloseTo(durationSeconds, 1)
  expect(sum(tasks.map(({ seconds }) => seconds))).toBeLessThanOrEqual(durationSeconds + 0.01)
}

/** Each branch of ours is one commit of ours that ticks the boxes of its tasks in the roadmap and no more. */
export function checkBranches(project: Project, roadmap = 'ROADMAP.md'): void {
  const { runId } = project.report()
  for (const branch of project.branches()) {
    const [tip] = project.log(`${branch}~1..${branch}`)
    const id = branch.slice('agent/'.length)
    const group = tip?.trailers['Executor-Group']
    expect(tip?.title).toMatch(`[Agent] Complete ${id}`)
    expect(tip?.trailers).toEqual({
      'Executor-Run': expect.stringMatching(/^run-\d{8}-\d{6}-[0-9a-f]{6}$/),
      'Executor-Task': id,
      'Executor-Attempt': expect.stringMatching(/^[12]$/),
      'Executor-Fingerprint': expect.stringMatching(/^[0-9a-f]{64}$/),
      'Executor-Outcome': expect.stringMatching(/^(done|unverified)$/),
      'Executor-Receipt': expect.stringMatching(/^(passed|unverified): /),
      ...(group && { 'Executor-Group': group, 'Executor-Start': expect.any(String) }),
    })
    const before = project.show(`${branch}~1`, roadmap) ?? ''
    const after = project.show(branch, roadmap) ?? ''
    const ticks = (group ?? id).split(',').map(() => [' ', 'x'])
    expect(changedBytes(before, after), branch).toEqual(ticks)
    const found = project.report().tasks.find((task) => task.id === id)
    if (found?.thisRun) expect(tip?.trailers['Executor-Run']).toBe(runId)
  }
}

function changedBytes(before: string, after: string): readonly (readonly string[])[] {
  const [old, now] = [Buffer.from(before), Buffer.from(after)]
  expect(now).toHaveLength(old.length)
  const places = [...old.keys()].filter((place) => old[place] !== now[place])
  return places.map((place) => [old, now].map((bytes) => String.fromCharCode(bytes[place] ?? 0)))
}

export const outcomes = (project: Project): Readonly<Record<string, string>> =>
  Object.fromEntries(project.report().tasks.map(({ id, outcome }) => [id, outcome]))

/** Whatever the program wrote for people or for later: reports, state, kept attempts. */
export function written(project: Project): string {
  const directory = join(project.path, '.executor')
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const files = names.map((name) => join(directory, name)).filter((path) => statSync(path).isFile())
  return files.map((path) => readFileSync(path, 'utf8')).join('\n')
}
