import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { readRoadmap } from '../../../packages/roadmap/document/read-roadmap.ts'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import type { Message } from '../../../src/core/ports/model.ts'
import type { Ports } from '../../../src/core/ports.ts'
import { buildContext } from '../../../src/graph/nodes/attempt/build-context.ts'
import { executeTask } from '../../../src/graph/nodes/attempt/execute-task.ts'
import { planTask } from '../../../src/graph/nodes/attempt/plan-task.ts'
import { repairCode } from '../../../src/graph/nodes/attempt/repair-code.ts'
import { repairTest } from '../../../src/graph/nodes/attempt/repair-test.ts'
import { classifyFailure } from '../../../src/graph/nodes/recover/classify-failure.ts'
import { anAttempt, aState, fakePorts } from '../../fakes/facts.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'
import { createScriptedModel } from '../../fakes/scripted-model.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'
import { aDraft, attemptAfter } from '../../graph/nodes/bench.ts'
import { longFile, projects, slugFailure } from './projects.ts'

type Node = (state: RunState, ports: Ports) => Promise<unknown>

interface Prompt {
  readonly name: string
  readonly project: keyof typeof projects
  readonly node: Node
  readonly attempt?: Partial<Attempt>
  /** The most tokens (o200k) it may take; docs/performance.md sets those of whole tasks. */
  readonly most: number
}

const created = (path: string, content: string) =>
  aDraft({ changes: [{ action: 'create', path, content }] })

const prompts: readonly Prompt[] = [
  { name: 'plan', project: 'javascript', node: planTask, most: 300 },
  { name: 'draft of code, JavaScript', project: 'javascript', node: executeTask, most: 600 },
  { name: 'draft of code, Python', project: 'python', node: executeTask, most: 600 },
  { name: 'draft of code, Go', project: 'go', node: executeTask, most: 600 },
  { name: 'draft of tests', project: 'tests', node: executeTask, most: 600 },
  { name: 'draft of configuration', project: 'configuration', node: executeTask, most: 600 },
  { name: 'draft of a script', project: 'script', node: executeTask, most: 600 },
  { name: 'draft of a document', project: 'document', node: executeTask, most: 600 },
  {
    name: 'repair of a 300-line file',
    project: 'javascript',
    node: repairCode,
    attempt: {
      draft: created('src/slug.js', longFile),
      problems: [
        {
          path: 'src/slug.js',
          type: 'syntax',
          message: "Unexpected token, expected ','",
          line: 151,
          column: 30,
        },
      ],
    },
    most: 400,
  },
  {
    name: 'repair of an edit that fits nowhere',
    project: 'javascript',
    node: repairCode,
    attempt: {
      draft: {
        ...created('test/slug.test.js', "import test from 'node:test'\n"),
        refusals: [
          {
            path: 'src/words.js',
            reason: 'the lines to replace are not in the file',
            excerpt: 'export const words = (text) => text.split()',
          },
        ],
      },
      problems: [
        {
          path: 'src/words.js',
          type: 'reply',
          message: 'the lines to replace are not in the file',
          line: 0,
          column: 0,
        },
      ],
    },
    most: 400,
  },
  {
    name: 'repair of a failing test',
    project: 'javascript',
    node: repairTest,
    attempt: {
      draft: created('src/slug.js', 'export const slug = (title) =>\n  title.toLowerCase()\n'),
      broken: [slugFailure],
    },
    most: 600,
  },
  {
    name: 'question why it failed',
    project: 'javascript',
    node: classifyFailure,
    attempt: {
      failure: {
        at: 'refused',
        message: slugFailure.message,
        problems: [],
        failures: [slugFailure],
        output: 'x'.repeat(9_000),
      },
    },
    most: 600,
  },
]

/** What a node really asks, the context gathered by the node before it. */
async function ask({ project, node, attempt = {} }: Prompt): Promise<readonly Message[]> {
  const files = projects[project]
  const workspace = createMemoryWorkspace({ files })
  const { base: start } = await workspace.refresh()
  const [task] = readRoadmap(files['ROADMAP.md']).tasks
  if (task === undefined) throw new Error(`The project ${project} has no task.`)
  const made = anAttempt({ task, start, ...attempt })
  const state = aState({ roadmap: { base: start }, attempt: made })
  const model = createScriptedModel(['', '{"files": []}'])
  const ports = fakePorts({ workspace, model, sandbox: createScriptedSandbox() })
  const { map, context, targets } = attemptAfter(await buildContext(state, ports))
  await node(changeState(state, { attempt: { ...made, map, context, targets } }), ports)
  return model.requests[0]?.messages ?? []
}

const asked = await Promise.all(
  prompts.map(async (prompt) => {
    const messages = await ask(prompt)
    const tokens = messages.reduce((sum, { content }) => sum + countTokens(content), 0)
    return { ...prompt, messages, tokens }
  }),
)

/** Read the golden files: they are what models are asked. */
describe('a prompt', () => {
  it.each(asked)('$name takes $tokens tokens (o200k), at most $most', ({ tokens, most }) => {
    expect(tokens).toBeGreaterThan(50)
    expect(tokens).toBeLessThanOrEqual(most)
  })

  it.each(asked)('$name is as it was', async ({ name, messages, tokens }) => {
    const turns = messages.map(({ role, content }) => `════ ${role}\n${content}\n`)
    const text = [`${name}: ${tokens} tokens (o200k)\n`, ...turns].join('\n')
    const file = `golden/${name.toLowerCase().replace(/\W+/g, '-')}.txt`
    await expect(text).toMatchFileSnapshot(file)
  })
})
