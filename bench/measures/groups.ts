/**
 * Forty small tasks, four on each of ten files, by a model that makes mistakes: in groups, and one by one. Both get
 * the same model and luck.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { z } from 'zod'
import type { RecordedModelRequest } from '../../packages/github-simulator/model/model-script.ts'
import type { Row } from '../row.ts'
import { edit } from '../scenarios.ts'
import { createRandom } from '../statistics.ts'
import { promptTokens, work } from '../work.ts'
import type { Workshop } from '../workshop.ts'

const modules = 10
const perModule = 4

/** The kinds of model: how often it writes a function wrong, and which tasks it never gets right. */
const models = [
  { name: 'faulty model', faulty: 0.1, never: [], limit: 60 },
  { name: 'faulty model that never does two of them', faulty: 0.1, never: [7, 22], limit: null },
] as const

type Model = (typeof models)[number]

const tasks = Array.from({ length: modules * perModule }, (_, index) => {
  const number = index + 1
  const path = `src/part-${Math.floor(index / perModule) + 1}.js`
  return { id: `T-${number}`, number, name: `size${number}`, path }
})

type Task = (typeof tasks)[number]

const lineOf = ({ name }: Task, value: number | string): string =>
  `export const ${name} = () => ${value}`

const files: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "sizes", "type": "module", "scripts": { "test": "node --test" } }\n',
  'check.js': `const [path, name, value] = process.argv.slice(2)
const found = (await import(path))[name]()
if (String(found) !== value) throw new Error(\`\${name} is \${found}, not \${value}\`)
`,
  'test/parts.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { size1 } from '../src/part-1.js'

test('sizes are numbers', () => assert.equal(typeof size1(), 'number'))
`,
  ...Object.fromEntries(
    [...Map.groupBy(tasks, ({ path }) => path)].map(([path, some]) => [
      path,
      some.map((task) => `/** The size ${task.number}. */\n${lineOf(task, 0)}\n`).join('\n'),
    ]),
  ),
  'ROADMAP.md': `# Sizes\n\n${tasks
    .map(
      ({ id, name, number, path }) =>
        `- [ ] ${id}: Let \`${name}\` return ${number * 10} instead of 0\n  - **Files**: \`${path}\`\n  - **Accept**: \`node check.js ./${path} ${name} ${number * 10}\`\n`,
    )
    .join('')}`,
}

interface Result {
  readonly done: number
  readonly requests: number
  readonly tokens: number
  readonly seconds: number
}

export async function measureGroups(
  workshop: Workshop,
  progress: (line: string) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const model of models) {
    progress(`${model.name}, in groups`)
    const grouped = await measure(workshop, model, ['--group', 'file'])
    progress(`${model.name}, one by one`)
    const single = await measure(workshop, model, [])
    const of = `${tasks.length} small tasks in groups, ${model.name}`
    const limit = model.limit === null ? {} : { limit: model.limit }
    const share = (of: (result: Result) => number) => (100 * of(grouped)) / of(single)
    rows.push(
      {
        figure: `${of}: done (floor: one by one)`,
        unit: '',
        measured: grouped.done,
        least: single.done,
        floor: single.done,
      },
      {
        figure: `${of}: requests of one by one`,
        unit: '%',
        measured: share(({ requests }) => requests),
        ...limit,
      },
      {
        figure: `${of}: tokens of one by one`,
        unit: '%',
        measured: share(({ tokens }) => tokens),
        ...limit,
      },
      {
        figure: `${of}: wall time (floor: one by one)`,
        unit: 's',
        measured: grouped.seconds,
        floor: single.seconds,
      },
    )
  }
  return rows
}

const reportShape = z.object({ tasks: z.array(z.object({ outcome: z.string() })) })

async function measure(
  workshop: Workshop,
  model: Model,
  flags: readonly string[],
): Promise<Result> {
  const said: string[] = []
  const answer = createModel(model)
  const listen = (request: RecordedModelRequest): string => {
    const text = answer(request)
    said.push(text)
    return text
  }
  const scenario = {
    ...{ name: model.name, files, task: '' },
    answers: { executor: [{ when: {}, answers: [listen] }], floor: [] },
  }
  const all = ['--max-tasks', '0', ...flags]
  const { requests, root, seconds } = await work(workshop, 'executor', scenario, { flags: all })
  const text = await readFile(join(root, '.executor/report.json'), 'utf8')
  const report = reportShape.parse(JSON.parse(text))
  const done = report.tasks.filter(({ outcome }) => outcome === 'done').length
  const answered = said.reduce((sum, each) => sum + countTokens(each), 0)
  return { done, requests: requests.length, tokens: promptTokens(requests) + answered, seconds }
}

/** Each first draft of a task is wrong with the same luck, alone or in a group; a repair mends what it is told of. */
function createModel({ faulty, never }: Model): (request: RecordedModelRequest) => string {
  const now = new Map<string, string>()
  let wrongs = 0
  const isNever = ({ number }: Task) => (never as readonly number[]).includes(number)
  const luck = new Map(tasks.map(({ id, number }) => [id, createRandom(number)] as const))
  const write = (task: Task, before: string, isFaulty: boolean): string => {
    const right = task.number * 10
    const value = isNever(task) ? `${right} + ${++wrongs}` : isFaulty ? `${right} + 1` : `${right}`
    now.set(task.id, value)
    return edit(task.path, lineOf(task, before), lineOf(task, value))
  }
  return ({ messages, purpose }) => {
    const said = messages.at(-1)?.content ?? ''
    if (purpose === 'classify') return '{"reason": "unknown", "explanation": "It still fails."}'
    if (purpose === 'draft') {
      const asked = tasks.filter(({ id }) => said.includes(`TASK ${id}:`))
      const edits = asked.map((task) => {
        const edited = write(task, '0', (luck.get(task.id)?.() ?? 1) < faulty)
        return asked.length === 1 ? edited : `## ${task.id}\n${edited}`
      })
      return edits.join('\n')
    }
    const wrong = tasks.filter(({ name }) => new RegExp(`\\b${name} is\\b`).test(said))
    return wrong.map((task) => write(task, now.get(task.id) ?? '0', false)).join('\n')
  }
}
