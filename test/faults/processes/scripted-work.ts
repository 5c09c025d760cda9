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

/** Purpose and task of a request, `draft T-1`. */
function keyOf({ purpose, messages }: RecordedModelRequest): string {
  const text = messages.map(({ content }) => content).join('\n')
  return `${purpose} ${/\btask (T-\d+)(?::| \()/i.exec(text)?.[1]}`
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
    const text = answers[key]
    if (text === undefined) return { fault: { kind: 'status', status: 400, message: key } }
    const met = model.meet(key, text)
    if (met === null) return { fault: { kind: 'drop' } }
    if (met?.fault?.kind !== 'status') paid.push(key)
    return met ?? { text }
  }
  return model
}
