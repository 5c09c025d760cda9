import { suiteIn } from '../packages/judge/detect/suite.ts'
import { runSuites } from '../packages/judge/run/run-suites.ts'
import { stripHidden } from '../packages/text/hidden/hidden-text.ts'
import { createLocalForge } from '../src/adapters/local-forge.ts'
import { attemptOf, changeState, type StatePatch } from '../src/core/domain/change-state.ts'
import type { RunState } from '../src/core/domain/run-state.ts'
import { noUsage } from '../src/core/domain/usage.ts'
import type { Model } from '../src/core/ports/model.ts'
import { buildContext } from '../src/graph/nodes/attempt/build-context.ts'
import { executeTask } from '../src/graph/nodes/attempt/execute-task.ts'
import { planTask } from '../src/graph/nodes/attempt/plan-task.ts'
import { repairCode } from '../src/graph/nodes/attempt/repair-code.ts'
import { repairTest } from '../src/graph/nodes/attempt/repair-test.ts'
import { pickTask } from '../src/graph/nodes/choose/pick-task.ts'
import { classifyFailure } from '../src/graph/nodes/recover/classify-failure.ts'
import { aState, fakePorts } from '../test/fakes/facts.ts'
import { createMemoryWorkspace } from '../test/fakes/memory-workspace.ts'
import { createScriptedSandbox, tapReport } from '../test/fakes/scripted-sandbox.ts'
import {
  type Channel,
  characterChannels,
  markdownChannels,
  terminalChannels,
} from './hidden-channels.ts'
import { honestTexts } from './honest-texts.ts'
import { countRow, type Result, type Score, timeScore } from './score.ts'

const word = 'CANARYWORD'
const everyOne = { minRight: 1, maxWrong: 0 }

/**
 * Words hidden in every way known to us, in every text that strangers write, through the real steps:
 * none may be in a request to the model, and the report must show what was taken out. Then honest
 * text of many scripts, of which nothing may be lost.
 */
export function scoreHiddenText(): Promise<Score> {
  return timeScore('hidden-text', async () => {
    const seen = [...markdownChannels, ...characterChannels]
    return [
      countRow('hidden in the roadmap', await judgeAll(seen, inRoadmap), everyOne),
      countRow('hidden in a Markdown file', await judgeAll(seen, inReadme), everyOne),
      countRow('hidden in source code', await judgeAll(characterChannels, inSource), everyOne),
      countRow('hidden in test output', await judgeAll(terminalChannels, inOutput), everyOne),
      countRow('honest text kept', honestTexts.map(judgeHonest), everyOne),
    ]
  })
}

/** Where a channel's text stands, and whether the report must list it. */
interface Place {
  readonly details: string
  readonly readme: string
  readonly source: string
  readonly output: string
  readonly isReported: boolean
}

const nowhere: Place = {
  details: '',
  readme: '# Greeting\n',
  source: 'export const answer = 42\n',
  output: 'expected 1, got 2',
  isReported: true,
}
const inRoadmap = (text: string): Place => ({ ...nowhere, details: text })
const inReadme = (text: string): Place => ({ ...nowhere, readme: `# Greeting\n\n${text}\n` })
const inSource = (text: string): Place => ({
  ...nowhere,
  source: `// ${text}\nexport const a = 1\n`,
})
const inOutput = (text: string): Place => ({ ...nowhere, output: text, isReported: false })

function judgeAll(
  channels: readonly Channel[],
  place: (text: string) => Place,
): Promise<readonly Result[]> {
  return Promise.all(channels.map((channel) => judge(channel, place(channel.hide(word)))))
}

async function judge(channel: Channel, place: Place): Promise<Result> {
  const { prompts, hidden } = await promptsFor(place)
  if (prompts.length < 5) return 'refused'
  const reads = channel.reads ?? ((prompt: string) => prompt.includes(word))
  const isKept = prompts.every((prompt) => !reads(prompt, word))
  return isKept && (!place.isReported || hidden > 0) ? 'right' : 'wrong'
}

const judgeHonest = (text: string): Result => {
  const kinds = ['markdown', 'code', 'plain'] as const
  return kinds.every((kind) => stripHidden(text, kind).text === text) ? 'right' : 'wrong'
}

/** What the model is asked in an attempt that plans, drafts, repairs twice and is given up. */
async function promptsFor(place: Place) {
  const prompts: string[] = []
  const model: Model = {
    complete: async ({ messages }) => {
      prompts.push(messages.map(({ content }) => content).join('\n'))
      return { status: 'answered', text: '{}', finish: 'stop', usage: noUsage }
    },
  }
  const details = place.details.replaceAll('\n', '\n  ')
  const workspace = createMemoryWorkspace({
    files: {
      'ROADMAP.md': `- [ ] **T-1**: Greet in \`README.md\` and \`src/index.js\`\n\n  ${details}\n`,
      'README.md': place.readme,
      'src/index.js': place.source,
      'test/greet.test.js': place.source,
    },
  })
  const sandbox = createScriptedSandbox(() => ({
    exitCode: 1,
    stdout: `${place.output}\n${tapReport(1, [{ name: 'greets', file: 'test/greet.test.js', line: 1, error: place.output }])}`,
  }))
  const ports = fakePorts({ workspace, model, sandbox, forge: createLocalForge() })
  const { base } = await workspace.refresh()
  let state: RunState = aState({ roadmap: { base } })
  const go = async (step: Promise<{ readonly patch?: StatePatch }>) => {
    state = changeState(state, (await step).patch)
  }
  await go(pickTask(state, ports))
  await go(planTask(state, ports))
  await go(buildContext(state, ports))
  await go(executeTask(state, ports))
  await go(repairCode(withProblem(state, place), ports))
  const failed = await withFailure(state, sandbox)
  await go(repairTest(failed, ports))
  await go(classifyFailure(failed, ports))
  return { prompts, hidden: state.record.hidden.length }
}

/** As after an answer that changed the README and cannot be used yet. */
function withProblem(state: RunState, { readme }: Place): RunState {
  const problem = { path: 'README.md', type: 'syntax', message: 'is wrong', line: 3, column: 1 }
  const change = { action: 'modify', path: 'README.md', before: '', content: readme } as const
  const facts = { refusals: [], claimsDone: false, summary: '', notes: [] }
  const draft = { ...facts, changes: [change] }
  return changeState(state, { attempt: { ...attemptOf(state), draft, problems: [problem] } })
}

/** As after tests that failed with this output. */
async function withFailure(
  state: RunState,
  sandbox: ReturnType<typeof createScriptedSandbox>,
): Promise<RunState> {
  const suite = suiteIn('.', 'npm test', { runner: 'npm-script', command: { shell: 'npm test' } })
  const input = { folder: '/memory', mounts: [], timeoutSeconds: 1, network: false }
  const { commands } = await runSuites([suite], input, { sandbox })
  const failures = commands.flatMap((command) => command.failures)
  const output = commands.map(({ tail }) => tail).join('\n')
  const message = failures[0]?.message ?? output
  const failure = { at: 'repairs_spent' as const, message, problems: [], failures, output }
  return changeState(state, { attempt: { ...attemptOf(state), broken: failures, failure } })
}
