import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, it } from 'vitest'
import type { Attempt, RunState } from '../../src/domain/run-state.ts'
import { buildContext } from '../../src/nodes/attempt/build-context.ts'
import { executeTask } from '../../src/nodes/attempt/execute-task.ts'
import { planTask } from '../../src/nodes/attempt/plan-task.ts'
import { repairCode } from '../../src/nodes/attempt/repair-code.ts'
import { repairTest } from '../../src/nodes/attempt/repair-test.ts'
import { classifyFailure } from '../../src/nodes/recover/classify-failure.ts'
import type { Ports } from '../../src/ports.ts'
import { fakePorts } from '../fakes/facts.ts'
import { createScriptedModel } from '../fakes/scripted-model.ts'
import { createScriptedSandbox } from '../fakes/scripted-sandbox.ts'
import { aDraft, attemptAfter, taskUnderWay } from '../nodes/bench.ts'

/** A young project with one task of two new files, as most tasks are. */
const files = {
  'ROADMAP.md': `# Roadmap

## Phase 1: Text

- [ ] **T-1**: Add a function that turns a title into a slug
  - Lower case, words joined by hyphens, everything else left out.
  - **Files**: \`src/slug.js\`, \`test/slug.test.js\`
`,
  'package.json':
    '{\n  "name": "texts",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n',
  'src/words.js':
    "export const words = (text) => text.split(/\\s+/).filter((word) => word !== '')\n",
  'test/words.test.js': `import assert from 'node:assert/strict'
import test from 'node:test'
import { words } from '../src/words.js'

test('splits at spaces', () => assert.deepEqual(words(' a  b '), ['a', 'b']))
`,
}

/** A file of 300 lines with an error in the middle. */
const longFile = Array.from({ length: 300 }, (_, n) =>
  n === 150
    ? 'export function slugOf(title { return title.toLowerCase() }'
    : `export const entry${n} = { name: 'entry ${n}', weight: ${n} }`,
).join('\n')

const failure = {
  test: 'slug > joins words by hyphens',
  file: 'test/slug.test.js',
  line: 5,
  message: "Expected values to be strictly equal:\n\n'a b' !== 'a-b'\n",
  expected: "'a-b'",
  actual: "'a b'",
  errorType: 'AssertionError',
  trace: ['test/slug.test.js:5', 'src/slug.js:2'],
}

async function sizeOf(
  node: (state: RunState, ports: Ports) => Promise<unknown>,
  attempt: Partial<Attempt> = {},
): Promise<number> {
  const { workspace, state, attempt: made } = await taskUnderWay({ files, attempt })
  const model = createScriptedModel(['', '{"files": []}'])
  const ports = fakePorts({ workspace, model, sandbox: createScriptedSandbox() })
  const { map, context } = attemptAfter(await buildContext(state, ports))
  await node({ ...state, attempt: { ...made, map, context } }, ports)
  const messages = model.requests[0]?.messages ?? []
  return messages.reduce((sum, { content }) => sum + countTokens(content), 0)
}

const created = (path: string, content: string) =>
  aDraft({ changes: [{ action: 'create', path, content }] })

const sizes: readonly (readonly [string, number, number])[] = [
  ['a plan', await sizeOf(planTask), 300],
  ['a first draft', await sizeOf(executeTask), 600],
  [
    'a repair of a 300-line file',
    await sizeOf(repairCode, {
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
    }),
    400,
  ],
  [
    'a repair of a failing test',
    await sizeOf(repairTest, {
      draft: created('src/slug.js', 'export const slug = (title) =>\n  title.toLowerCase()\n'),
      broken: [failure],
    }),
    600,
  ],
  [
    'a question why it failed',
    await sizeOf(classifyFailure, {
      failure: {
        at: 'repairs_spent',
        message: failure.message,
        problems: [],
        failures: [failure],
        output: 'x'.repeat(9_000),
      },
    }),
    600,
  ],
]

it.each(sizes)('%s takes %i tokens (o200k), at most %i', (_, tokens, most) => {
  expect(tokens).toBeGreaterThan(50)
  expect(tokens).toBeLessThanOrEqual(most)
})
