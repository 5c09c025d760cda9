/** A task of ours worked by another agent, and the proof that it was. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  RecordedModelRequest,
  ScriptedReply,
} from '../packages/github-simulator/model/model-script.ts'
import { startModelServer } from '../packages/github-simulator/model/start-model-server.ts'
import { type PeerName, type PeerProgram, peerPrograms } from './peer-programs.ts'
import type { SmallScenario } from './scenarios.ts'
import type { Work } from './work.ts'
import { environment, makeRepository, runProgram, type Workshop } from './workshop.ts'

export interface Peer {
  readonly name: PeerName
  readonly path: string
}

export type PeerWork = Pick<Work, 'seconds' | 'requests' | 'root'>

/**
 * Lets a program do a task in a new repository and a new home.
 * @throws Error when it says less than a whole conversation, or leaves no commit with green tests.
 */
export async function workAsPeer(
  workshop: Workshop,
  { name, path }: Peer,
  scenario: SmallScenario,
  latencySeconds: number,
): Promise<PeerWork> {
  const program = peerPrograms[name]
  const root = await makeRepository(workshop, scenario.files)
  const home = await mkdtemp(join(workshop.directory, 'home-'))
  const steps = stepsOf(program, root, scenario)
  const script = [{ when: {}, answers: [answerInTurn(steps)] }]
  const model = await startModelServer({ script, latencySeconds })
  const prompt = `${scenario.task}\nRun the tests with \`npm test\`, mend what fails, and commit.`
  try {
    const given = environment(home)
    const own = await program.settle(home, model.url)
    const env = { ...given, PEER_PATH: given.PATH ?? '', ...own }
    const run = await runProgram([path, ...program.flags(prompt)], root, env)
    const { requests } = model
    const offered = requests.flatMap(({ tools }) => tools.map((tool) => tool.name))
    const missing = program.needs.filter((tool) => !offered.includes(tool))
    const wrong =
      (run.exitCode === 0 ? null : `it ended with ${run.exitCode}`) ??
      (missing.length === 0 ? null : `it does not offer ${missing.join(', ')}`) ??
      (requests.length >= steps.length ? null : `it asked only ${requests.length} times`) ??
      (await findLacking(root, home, scenario))
    if (wrong === null) return { seconds: run.seconds, requests, root }
    const tools = [...new Set(offered)].join(', ')
    throw new Error(
      `${name} failed at ${scenario.name}: ${wrong}. Its tools: ${tools}\n${run.stdout}\n${run.stderr}`,
    )
  } finally {
    await model.close()
  }
}

/** What a repository lacks to be one where the work is done: a commit that has it, and green tests there. */
export async function findLacking(
  root: string,
  home: string,
  { attempts }: SmallScenario,
): Promise<string | null> {
  const run = (...argv: readonly string[]) => runProgram(argv, root, environment(home))
  const paths = [...new Set(attempts.flatMap((files) => Object.keys(files)))]
  const { stdout } = await run('git', 'log', '--branches', '-1', '--format=%H', '--', ...paths)
  const commit = stdout.trim()
  if (commit === '') return `no commit has ${paths.join(' or ')}`
  const { stdout: held } = await run('git', 'ls-tree', '--name-only', commit, '--', ...paths)
  const missing = paths.filter((path) => !held.split('\n').includes(path))
  if (missing.length > 0) return `its commit lacks ${missing.join(' and ')}`
  const checkedOut = await run('git', 'checkout', '--quiet', '--force', '--detach', commit)
  if (checkedOut.exitCode !== 0) return `its commit cannot be looked at: ${checkedOut.stderr}`
  const tests = await run('npm', 'test')
  return tests.exitCode === 0 ? null : `the tests of its commit fail:\n${tests.stdout}`
}

/** Write, test, look, and where that fails: mend, test, look; then commit and say so. */
function stepsOf(
  { write, run }: PeerProgram,
  root: string,
  { attempts, task }: SmallScenario,
): readonly ScriptedReply[] {
  const title = task.split('\n')[0] ?? ''
  return [
    ...attempts.flatMap((files) => [
      { toolCalls: write(root, files) },
      { toolCalls: [run('npm test')] },
    ]),
    { toolCalls: [run(`git add --all && git commit --quiet --message '${title}'`)] },
    { text: 'Done: the tests pass, and the work is committed.' },
  ]
}

/**
 * The step after those whose results a request brings: asked again, it is answered again. What is asked
 * beside the work, such as a title for it, comes without tools.
 */
function answerInTurn(
  steps: readonly ScriptedReply[],
): (request: RecordedModelRequest) => ScriptedReply {
  return ({ messages, tools }) => {
    if (tools.length === 0) return { text: 'Work on a small project' }
    let left = messages.filter(({ role }) => role === 'tool').length
    for (const step of steps) {
      if (left <= 0) return step
      left -= step.toolCalls?.length ?? 0
    }
    return { text: 'Done.' }
  }
}
