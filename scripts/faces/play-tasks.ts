import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { smallTasks } from '../../bench/scenarios.ts'
import { environment, makeRepository, openWorkshop, runProgram } from '../../bench/workshop.ts'
import type { ModelScript } from '../../packages/github-simulator/model/model-script.ts'
import { startModelServer } from '../../packages/github-simulator/model/start-model-server.ts'
import { target } from '../../packages/github-simulator/test/github/bench.ts'
import { openActionBench } from '../../test/e2e/action/action-bench.ts'
import { withRoadmap } from '../../test/e2e/action/toolbox.ts'
import { failing, proposal } from '../../test/e2e/people/script.ts'

/** A call of a function of this project. */
export interface Call {
  /** Of the file that has it. */
  readonly path: string
  readonly name: string
}

const root = join(import.meta.dirname, '../..')
const tracer = join(import.meta.dirname, 'trace.ts')

/** What the CLI calls, in order, for a task of docs/performance.md: `S1` is green at once, `S3` after a failing test. */
export async function playTask(name: string): Promise<readonly Call[]> {
  const scenario = smallTasks.find((each) => each.name === name)
  if (scenario === undefined) throw new Error(`There is no task ${name}.`)
  const workshop = await openWorkshop()
  const model = await startModelServer({ script: scenario.answers.executor })
  try {
    const repository = await makeRepository(workshop, scenario.files)
    return await traced(async (trace) => {
      const cli = [process.execPath, '--import', tracer, join(root, 'src/entry/cli.ts')]
      const words = ['run', '--model', 'scripted', '--base-url', model.url]
      const env = { ...environment(workshop.directory), FACES_TRACE: trace }
      const { exitCode, stderr } = await runProgram([...cli, ...words], repository, env)
      if (exitCode !== 0) throw new Error(stderr)
    })
  } finally {
    await model.close()
    await workshop.close()
  }
}

const split: ModelScript = failing('T-1', 'task_too_complex', proposal('a', 'b'))

/** What the Action calls, in order, when a person answers `/approve` to a proposal that splits a task. */
export async function playApproval(): Promise<readonly Call[]> {
  const now = () => new Date(Date.now() + 3_000)
  await using bench = await openActionBench(withRoadmap('T-1: Add a and b'), split, {}, { now })
  const { exitCode, stdout } = await bench.run()
  const pull = (await bench.pulls()).find(({ head }) => head === 'executor/recovery/T-1')
  if (pull === undefined) throw new Error(`No proposal (${exitCode}):\n${stdout}`)
  const person = bench.octokit('writer-token')
  const about = { ...target, issue_number: pull.number }
  const { data: comment } = await person.issues.createComment({ ...about, body: '/approve' })
  const [issue, repository] = [await person.issues.get(about), await person.repos.get(target)]
  const payload = {
    action: 'created',
    comment,
    issue: issue.data,
    repository: repository.data,
  }
  const action = await layOutAction()
  try {
    return await traced(async (FACES_TRACE) => {
      await bench.run({ event: 'issue_comment', payload, action, env: { FACES_TRACE } })
      const after = (await bench.pulls()).find(({ number }) => number === pull.number)
      if (after?.state !== 'merged') throw new Error('The proposal was not merged.')
    })
  } finally {
    await rm(action, { recursive: true, force: true })
  }
}

/** The Action from its sources, recorded. */
async function layOutAction(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faces-action-'))
  const [trace, action] = [tracer, join(root, 'src/entry/action.ts')].map((path) =>
    JSON.stringify(pathToFileURL(path).href),
  )
  const manifest = await readFile(join(root, 'action.yml'), 'utf8')
  await writeFile(join(folder, 'action.yml'), manifest.replace('dist/action.cjs', 'action.mjs'))
  await writeFile(join(folder, 'action.mjs'), `await import(${trace})\nawait import(${action})\n`)
  return folder
}

/** The calls of the process that called most: the program itself. */
async function traced(play: (folder: string) => Promise<void>): Promise<readonly Call[]> {
  const folder = await mkdtemp(join(tmpdir(), 'faces-'))
  try {
    await play(folder)
    const traces = await Promise.all(
      (await readdir(folder)).map(
        async (name): Promise<Trace> => JSON.parse(await readFile(join(folder, name), 'utf8')),
      ),
    )
    const [longest] = traces.sort((a, b) => b.calls.length - a.calls.length)
    const functions = (longest?.functions ?? []).map((text): Call => {
      const [path = '', name = ''] = text.split(' ')
      return { path, name }
    })
    return (longest?.calls ?? []).flatMap((id) => functions[id] ?? [])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** As `trace.ts` writes it. */
interface Trace {
  readonly functions: readonly string[]
  readonly calls: readonly number[]
}
