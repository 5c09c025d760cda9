/** Codex CLI and Claude Code, as npm has them, as the agent of a run; the model is scripted. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { type PeerName, peerNames, peerPrograms } from '../../bench/peer-programs.ts'
import { type SmallScenario, smallTasks } from '../../bench/scenarios.ts'
import type {
  RecordedModelRequest,
  ScriptedReply,
} from '../../packages/github-simulator/model/model-script.ts'
import { startModelServer } from '../../packages/github-simulator/model.ts'
import { createProject, leftovers } from './cli/bench.ts'
import { checkBranches, ownTree } from './cli/scenario.ts'

const agents = {
  codex: {
    package: '@openai/codex@0.171.0',
    program: 'codex',
    flags: 'exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox -',
  },
  claude: {
    package: '@anthropic-ai/claude-code@2.1.197',
    program: 'claude',
    flags: '-p --permission-mode bypassPermissions',
  },
} as const satisfies Record<PeerName, object>

const place = join(tmpdir(), `executor-agents-${process.getuid?.()}`)
const commandOf = (name: PeerName): string => {
  const { program, flags } = agents[name]
  return `${join(place, 'node_modules/.bin', program)} ${flags}`
}

beforeAll(() => {
  if (existsSync(join(place, 'ready'))) return
  const run = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { cwd: tmpdir(), stdio: 'pipe' })
  const packages = Object.values(agents).map((agent) => agent.package)
  run('npm', 'install', '--no-audit', '--no-fund', '--prefix', place, ...packages)
  // npm leaves scripts of packages out unless it is told otherwise; this one puts the program in place.
  run('node', join(place, 'node_modules/@anthropic-ai/claude-code/install.cjs'))
  run('touch', join(place, 'ready'))
}, 600_000)

const canary = randomBytes(12).toString('hex')

const isRepair = /YOUR CHANGE, which is in these files,/

/** Writes the files of the attempt with one command, then says that it is done. */
function answersOf(name: PeerName, { attempts }: SmallScenario, more: string) {
  const { run } = peerPrograms[name]
  return ({ messages, tools }: RecordedModelRequest): ScriptedReply => {
    if (tools.length === 0) return { text: 'Work on a small project' }
    const told = messages.map(({ content }) => content).join('\n')
    const files = attempts[isRepair.test(told) ? 1 : 0] ?? {}
    const [write] = peerPrograms.codex.write('.', files)
    const command = typeof write?.arguments === 'object' ? String(write.arguments.cmd) : ''
    const isWritten = messages.some(({ role }) => role === 'tool')
    return isWritten
      ? { text: 'I wrote the module and its test.' }
      : { toolCalls: [run(`${command}\n${more}`)] }
  }
}

/** @param more a command that the agent runs besides */
async function play(
  name: PeerName,
  scenario: SmallScenario,
  args: readonly string[] = [],
  more = '',
) {
  const project = createProject(scenario.files)
  const script = [{ when: {}, answers: [answersOf(name, scenario, more)] }]
  const model = await startModelServer({ script })
  const own = ownTree(project)
  const asAgent = ['--strategy', 'agent', '--agent-command', commandOf(name)]
  const variables = {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: `sk-${canary}`,
    OPENAI_MODEL: 'scripted',
  }
  const result = await project.run(['run', ...asAgent, ...args], variables)
  expect(ownTree(project)).toEqual(own)
  expect(leftovers(project), result.stderr).toEqual([])
  checkBranches(project)
  const close = async () => {
    await model.close()
    project[Symbol.dispose]()
  }
  return { project, model, result, [Symbol.asyncDispose]: close }
}

describe.each(peerNames)('%s', (name) => {
  test.each(smallTasks.map((scenario) => [scenario.name, scenario] as const))(
    'ends %s right',
    async (_, scenario) => {
      await using played = await play(name, scenario)
      const { project, model, result } = played
      expect(result.code, result.stderr).toBe(0)
      expect(project.log('main..agent/T-1')).toHaveLength(1)
      const [task] = project.report().tasks
      expect(task).toMatchObject({ outcome: 'done', repairs: scenario.attempts.length - 1 })
      expect(task?.receipt).toMatchObject({ result: 'passed' })
      const requests = project.report().usage.requests
      expect(requests).toBe(model.requests.length)
      expect(model.requests.every((request) => request.model === 'scripted')).toBe(true)
    },
  )

  it('has our key in no process, file or answer', async () => {
    const [scenario] = smallTasks
    if (scenario === undefined) throw new Error('There is no small task.')
    // A pattern: the command itself would be found otherwise.
    const pattern = `${canary.slice(0, -1)}[${canary.slice(-1)}]`
    const places = '/proc/[0-9]*/environ /proc/[0-9]*/cmdline . "$HOME" /run'
    const direct = 'curl -s -m 2 -o /dev/null http://example.com:8080 -x "" || echo closed'
    const probe = `{ grep -rls '${pattern}' ${places} | wc -l; ${direct}; } >src/probe.txt`
    await using played = await play(name, scenario, [], probe)
    const { project, result } = played
    expect(result.code, result.stderr).toBe(0)
    const { runId } = project.report()
    const journal = readFileSync(join(project.path, `.executor/journal/${runId}.jsonl`), 'utf8')
    const found = journal.split('\n').find((line) => line.includes('src/probe.txt')) ?? ''
    const { changes } = JSON.parse(JSON.parse(found).text)
    const [said] = changes.filter(({ path }: { path: string }) => path === 'src/probe.txt')
    expect(said?.content).toBe('0\nclosed\n')
  })

  it('is refused over budget, and the task ends as such', async () => {
    const [scenario] = smallTasks
    if (scenario === undefined) throw new Error('There is no small task.')
    await using played = await play(name, scenario, ['--max-tokens', '8000'])
    expect(played.result.code, played.result.stderr).toBe(4)
    expect(played.project.report().tasks).toMatchObject([{ outcome: 'budget_exceeded' }])
    expect(played.project.branches()).toEqual([])
  })
})
