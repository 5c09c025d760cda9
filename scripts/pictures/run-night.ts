/** A real run for the pictures: the demo's shop and two tasks that need a person, on the test server. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sampleAnswers } from '../../packages/github-simulator/demo/sample-answers.ts'
import { sampleFiles } from '../../packages/github-simulator/demo/sample-repository.ts'
import { startGitHubServer } from '../../packages/github-simulator/github/server.ts'
import type {
  ModelScript,
  ScriptedAnswer,
} from '../../packages/github-simulator/model/model-script.ts'
import { startModelServer } from '../../packages/github-simulator/model/start-model-server.ts'
import type { Settings } from '../../src/core/domain/settings.ts'
import { composeGitHub } from '../../src/entry/compose/compose-github.ts'
import { readConfigFile } from '../../src/entry/config/read-config-file.ts'
import { resolveSettings } from '../../src/entry/config/resolve-settings.ts'
import { runRoadmap } from '../../src/runs/run-roadmap.ts'

export interface PulledRequest {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly head: string
  readonly base: string
  readonly labels: readonly string[]
}

const roadmap = `${sampleFiles['ROADMAP.md']}
## Phase 3: Upkeep

- [ ] T-106: Remove carts that nobody paid for within a week
  - **Files**: \`src/clean-carts.js\`
- [ ] T-107: Add vouchers, refunds and a statistics page
`

const clean = `src/clean-carts.js
\`\`\`js
import { rmSync } from 'node:fs'

/** Deletes the files of carts that are older than a week. */
export const cleanCarts = (folder) => rmSync(folder, { recursive: true })
\`\`\`
`

const unfinished = 'src/vouchers.js\n```js\nexport function applyVoucher(total) {\n```\n'

const smaller = ['a voucher', 'a refund', 'the statistics page'].map((title) => ({
  title: `Add ${title}`,
  details: [`Nothing but ${title}, with its tests.`],
  files: [`src/${title.split(' ').at(-1)}.js`],
}))

const more: ModelScript = [
  { when: { task: 'T-106', purpose: 'draft' }, answers: [clean] },
  { when: { task: 'T-107', purpose: 'draft' }, answers: [unfinished] },
  { when: { task: 'T-107', purpose: 'repair_code' }, answers: [unfinished] },
  {
    when: { task: 'T-107', purpose: 'classify' },
    answers: [
      JSON.stringify({
        reason: 'task_too_complex',
        explanation: 'It asks for three features at once.',
      }),
    ],
  },
  { when: { task: 'T-107', purpose: 'recover' }, answers: [JSON.stringify(smaller)] },
]

/** A model that takes its time, as real ones do. */
function slowly(script: ModelScript): ModelScript {
  let asked = 0
  const slow = (answer: ScriptedAnswer): ScriptedAnswer => {
    if (typeof answer !== 'string') return answer
    asked += 1
    return { text: answer, fault: { kind: 'slow', seconds: 2 + ((asked * 5) % 4) } }
  }
  return script.map((rule) =>
    typeof rule === 'object' && 'answers' in rule
      ? { ...rule, answers: rule.answers.map(slow) }
      : rule,
  )
}

/** The report of the run as it was written, and its pull requests. */
export async function runNight(
  folder: string,
): Promise<{ readonly report: string; readonly pulls: readonly PulledRequest[] }> {
  const token = 'token-of-the-bot'
  const github = await startGitHubServer({
    root: join(folder, 'github'),
    repositories: [
      {
        ...{ owner: 'corner', name: 'shop' },
        seed: { files: { ...sampleFiles, 'ROADMAP.md': roadmap } },
      },
    ],
    tokens: { [token]: { login: 'executor[bot]', id: 101, type: 'Bot' } },
  })
  const model = await startModelServer({ script: slowly([...sampleAnswers, ...more]) })
  try {
    const workspace = join(folder, 'checkout')
    await mkdir(workspace, { recursive: true })
    const place = {
      ...{ owner: 'corner', repo: 'shop', serverUrl: github.url, apiUrl: github.apiUrl },
      ...{ base: 'main', workspace, checkedOut: false, temporary: folder },
    }
    const { signal } = new AbortController()
    const session = await composeGitHub({
      ...{ place, token: () => token, log: () => {} },
      ...{ settings: settingsFor(model.url), apiKey: 'none', signal },
    })
    await runRoadmap(session.ports, {
      ...{ only: null, fresh: true, dryRun: false, signal, observer: session.observer },
    })
    await session.close()
    const { pulls } = await github.state('corner', 'shop')
    return { report: await readFile(join(workspace, '.executor/report.html'), 'utf8'), pulls }
  } finally {
    await Promise.all([github.close(), model.close()])
  }
}

const prices = 'prices:\n  scripted-model: { prompt: 1.25, completion: 10 }\n'

function settingsFor(baseUrl: string): Settings {
  const resolved = resolveSettings({
    flags: { model: 'scripted-model', 'base-url': baseUrl, 'max-open-prs': 10 },
    environment: {},
    file: readConfigFile('executor.yml', prices),
    defaults: { approvalMode: 'interactive', stack: 'auto' },
  })
  if (resolved.status === 'ok') return resolved.settings
  throw new Error(resolved.problems.map(({ message }) => message).join(' '))
}
