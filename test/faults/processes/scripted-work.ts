/** What whole processes work on: a small project, a roadmap, and a model that says the same whenever it is asked the same. */
import type {
  ModelScript,
  RecordedModelRequest,
  ScriptedReply,
} from '../../../packages/github-simulator/model/model-script.ts'
import { file, tool, withRoadmap } from '../../e2e/action/toolbox.ts'

/** The second needs the first and a repair; the third asks before it deletes. */
export const project = withRoadmap(
  'T-1: Add one, in `src/one.js`',
  'T-2: Add two, in `src/two.js`\n  - **Depends on**: T-1',
  'T-3: Add clean, in `src/clean.js`',
)

const clean = `import { rmSync } from 'node:fs'

export const clean = (path) => rmSync(path, { recursive: true, force: true })
`
const two = (value: string) => `() => one() + ${value}`
const importing = "import { one } from './one.js'\n\n"

const answers: Readonly<Record<string, string>> = {
  'draft T-1': tool('one', '() => 1', 'assert.equal(one(), 1)'),
  'draft T-2': tool('two', two('2'), 'assert.equal(two(), 2)').replace(
    'export const two',
    () => `${importing}export const two`,
  ),
  'repair_test T-2': file('src/two.js', `${importing}export const two = ${two('1')}\n`),
  'draft T-3': file('src/clean.js', clean),
}

/** The same first two tasks, with tools: the second is tested, thought about and mended. */
export const loopProject = withRoadmap(
  'T-1: Add one, in `src/one.js`',
  'T-2: Add two, in `src/two.js`\n  - **Depends on**: T-1',
)

const call = (name: string, given: object = {}): string =>
  `\`\`\`json\n${JSON.stringify({ tool: name, arguments: given })}\n\`\`\`\n`

const loopAnswers: Readonly<Record<string, string>> = {
  'think T-1 0': call('grep', { words: 'add' }) + call('read_file', { path: 'src/add.js' }),
  'think T-1 2': answers['draft T-1'] ?? '',
  'think T-1 4': call('done', { summary: 'Adds one.' }),
  'think T-2 0': answers['draft T-2'] ?? '',
  'reflect T-2': 'I added two.\nOne is one already.\nAdd one.',
  'think T-2 2': answers['repair_test T-2'] ?? '',
  'think T-2 4': call('done', { summary: 'Adds two.' }),
}

/** Purpose and task of a request, `draft T-1`; in a loop with the number of turns so far. */
function keyOf({ purpose, messages }: RecordedModelRequest): string {
  const text = messages.map(({ content }) => content).join('\n')
  const turns = messages.filter(({ role }) => role === 'assistant').length
  const key = `${purpose} ${/\btask (T-\d+)(?::| \()/i.exec(text)?.[1]}`
  return purpose === 'think' ? `${key} ${turns}` : key
}

/** What happens at a request instead of its answer: `null` cuts the connection. */
export type Meet = (asked: string, text: string) => ScriptedReply | null | undefined

export interface ModelOfWork {
  readonly script: ModelScript
  /** What was asked for so far, of those requests that were answered, whoever heard it. */
  readonly paid: readonly string[]
  /** An answer that was on its way when nobody was there any more. */
  count(asked: string): void
  /** Comes before each answer from now on; `undefined` lets it be given. */
  meet: Meet
}

/** What nobody foresaw is refused, which ends a run: a prompt that changed by a death shows as such. */
export function createModelOfWork(): ModelOfWork {
  const paid: string[] = []
  const model: ModelOfWork = {
    script: [{ when: {}, answers: [answer] }],
    paid,
    count: (asked) => void paid.push(asked),
    meet: () => undefined,
  }
  function answer(request: RecordedModelRequest): ScriptedReply {
    const key = keyOf(request)
    const text = answers[key] ?? loopAnswers[key]
    if (text === undefined) return { fault: { kind: 'status', status: 400, message: key } }
    const met = model.meet(key, text)
    if (met === null) return { fault: { kind: 'drop' } }
    if (met?.fault?.kind !== 'status') paid.push(key)
    return met ?? { text }
  }
  return model
}
