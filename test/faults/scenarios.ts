import type { Trigger } from '../../src/runs/triggers/trigger.ts'
import { someSettings } from '../fakes/facts.ts'
import type { MemoryWorld, Work } from './memory-world.ts'

/** Something that happens outside, and the event that tells us of it. */
export interface Step {
  readonly name: string
  readonly happens: (world: MemoryWorld) => Trigger
}

/** A roadmap and what people do about it, one process for each step. */
export interface Scenario extends Work {
  readonly name: string
  readonly steps: readonly Step[]
}

export const night: Step = { name: 'night', happens: () => ({ kind: 'run', only: null }) }

const says = (name: string, head: string, body: string): Step => ({
  name,
  happens({ repository, pullOf }) {
    const ann = repository.person('ann', 'write')
    return { kind: 'remark', remark: repository.say(ann, pullOf(head).number, body) }
  },
})

export const task = (id: string, what: string, after = ''): string =>
  `- [ ] **${id}**: Add ${what}, in \`src/${what}.js\`\n${after === '' ? '' : `  - **Depends on**: ${after}\n`}`

/** A task about two files, which no answer does: a person is asked whether to split it. */
export const hopeless = (id: string, after = ''): string =>
  task(id, 'hopeless', after).replace('.js`', '.js` and `src/spare.js`')

/** Every kind of way through the graph: done at once, repaired in both ways, split by a person's word. */
const working: Scenario = {
  name: 'a roadmap is worked through',
  roadmap: `# Plan\n\n${[task('T-1', 'one'), task('T-2', 'broken', 'T-1'), task('T-3', 'wrong', 'T-2'), hopeless('T-4')].join('')}`,
  steps: [
    night,
    says('approves the new tasks', 'executor/recovery/T-4', '/approve'),
    {
      name: 'merges the first',
      happens({ repository, pullOf }) {
        repository.merge(pullOf('agent/T-1').number)
        return { kind: 'reconcile' }
      },
    },
    night,
  ],
}

const refuses: Scenario = {
  name: 'people refuse and ask for changes',
  roadmap: `# Plan\n\n${[task('T-1', 'one'), hopeless('T-2')].join('')}`,
  steps: [
    night,
    {
      name: 'reviews a line',
      happens({ repository, pullOf }) {
        const { number } = pullOf('agent/T-1')
        const ann = repository.person('ann', 'write')
        repository.sayOnLine(ann, number, { body: 'Too long.', path: 'src/one.js', line: 1 })
        return { kind: 'remark', remark: repository.say(ann, number, '/revise Shorter.') }
      },
    },
    says('skips what is proposed', 'executor/recovery/T-2', '/skip'),
    {
      name: 'approves work whose checks run',
      happens({ repository, pullOf }) {
        const { number, headSha } = pullOf('agent/T-1')
        repository.setChecks(headSha, 'pending')
        const ann = repository.person('ann', 'write')
        return { kind: 'remark', remark: repository.say(ann, number, '/approve') }
      },
    },
    {
      name: 'the checks are green',
      happens({ repository, pullOf }) {
        repository.setChecks(pullOf('agent/T-1').headSha, 'green')
        return { kind: 'reconcile' }
      },
    },
  ],
}

const issues: Scenario = {
  name: 'an issue is work, and then it is not',
  roadmap: `# Plan\n\n${task('T-1', 'one')}`,
  steps: [
    night,
    {
      name: 'labels an issue',
      happens({ repository }) {
        const ann = repository.person('ann', 'write')
        const words = { title: 'Add more', body: 'Add more, in `src/more.js`.' }
        const number = repository.openIssue(ann, { ...words, labels: [] })
        repository.label(ann, number, 'executor')
        const at = repository.labelEvent(number, 'executor')?.at ?? ''
        return { kind: 'issue_labelled', issue: { number, ...words, labelledBy: ann, at } }
      },
    },
    {
      name: 'moves the base under the work',
      happens({ repository, workspace, pullOf }) {
        workspace.push('main', { 'src/one.js': 'export const one = () => 0\n' })
        const { number } = pullOf('agent/T-1')
        repository.setFacts(number, { conflicts: true })
        return { kind: 'reconcile' }
      },
    },
    {
      name: 'lets go of the issue',
      happens({ repository }) {
        const number = repository.issues[0]?.number ?? 0
        const ann = repository.person('ann', 'write')
        return { kind: 'remark', remark: repository.say(ann, number, '/cancel') }
      },
    },
  ],
}

/** One of three fails for good: one of the others is merged, and one in review. */
const together: Scenario = {
  name: 'of tasks that belong together one is given up',
  roadmap: `# Plan\n\n${[task('T-1', 'one'), task('T-2', 'two', 'T-1'), hopeless('T-3', 'T-2')]
    .map((each) => `${each}  - **Together**: shop\n`)
    .join('')}${task('T-4', 'other')}`,
  steps: [
    night,
    {
      name: 'merges the first',
      happens({ repository, pullOf }) {
        repository.merge(pullOf('agent/T-1').number)
        return { kind: 'reconcile' }
      },
    },
    says('gives the third up', 'executor/recovery/T-3', '/reject'),
    night,
  ],
}

/** A loop that is done at once, one that its tests send back, one that is spent, one that asks a person. */
const tools: Scenario = {
  name: 'tools are used',
  roadmap: `# Plan\n\n${[task('T-1', 'one'), task('T-2', 'wrong', 'T-1'), hopeless('T-3'), task('T-4', 'clear')].join('')}`,
  settings: {
    strategy: 'tools',
    reflectAfter: 1,
    limits: { ...someSettings({ openPullRequests: 20 }).limits, failingChanges: 2 },
  },
  steps: [night, says('approves what deletes', 'executor/recovery/T-4', '/approve'), night],
}

/** A task that its cheap way fails, and one that names no file. */
const routes: Scenario = {
  name: 'ways are chosen',
  roadmap: `# Plan\n\n${task('T-1', 'hopeless')}- [ ] **T-2**: Add two\n`,
  settings: { strategy: 'auto' },
  steps: [night],
}

/** Four small tasks in one request: one falls out and goes alone, a person skips one, and one is tried again. */
const groups: Scenario = {
  name: 'small tasks are a group',
  roadmap: `# Plan\n\n## Numbers\n\n${[task('T-1', 'one'), task('T-2', 'wrong'), task('T-3', 'three'), task('T-4', 'four')].join('')}\n## More\n\n${task('T-5', 'five')}`,
  settings: { group: 'section' },
  steps: [
    night,
    says('skips one', 'agent/T-1', '/skip T-3'),
    says('has one done again', 'agent/T-1', '/retry T-4'),
    {
      name: 'merges the rest',
      happens({ repository, pullOf }) {
        repository.merge(pullOf('agent/T-1').number)
        return { kind: 'reconcile' }
      },
    },
    night,
  ],
}

const apart: readonly Scenario[] = [working, refuses, issues, together, tools, routes]

/** The same work, by as many tasks at a time as are ready. */
export const sideBySide: readonly { readonly scenario: Scenario; readonly apart: Scenario }[] = [
  working,
  together,
  tools,
].map((each) => ({
  apart: each,
  scenario: {
    ...each,
    name: `${each.name}, three tasks at a time`,
    settings: { ...each.settings, parallel: 3 },
  },
}))

export const scenarios: readonly Scenario[] = [
  ...apart,
  groups,
  ...sideBySide.map(({ scenario }) => scenario),
]
