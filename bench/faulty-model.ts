/**
 * A model that makes mistakes, by a seed. Each function it writes is faulty with one chance, and
 * each it copies from what it wrote before with a much smaller one. Half of the faults do not
 * parse; the others give a wrong result. It mends what it is told of: the first function that does
 * not parse, and each that the question names. Asked for an edit it writes just those anew; asked
 * for whole files it copies the rest.
 */
import type { RecordedModelRequest } from '../packages/github-simulator/model/model-script.ts'
import { edit, file } from './scenarios.ts'
import { createRandom } from './statistics.ts'

export interface FaultyTask {
  readonly id: string
  readonly title: string
  readonly details: string
  readonly path: string
}

type Condition = 'right' | 'wrong' | 'broken'

const faultyWhenWritten = 0.1
const faultyWhenCopied = 0.01
/** Functions of five lines: modules of 120 lines. */
const perModule = 20

export const faultyTasks: readonly FaultyTask[] = Array.from({ length: 12 }, (_, index) => {
  const number = index + 1
  return {
    id: `T-${number}`,
    title: `Add the scales of group ${number}`,
    details: `\`scale${number}x1(value)\` to \`scale${number}x${perModule}(value)\`: the value times the last number, and ${number}`,
    path: `src/group-${number}.js`,
  }
})

/** What the model says to the executor or to the floor; both get the same model and luck. */
export function createFaultyModel(
  style: 'edits' | 'whole files',
  seed: number,
): (request: RecordedModelRequest) => string {
  const written = new Map<string, Condition[]>()
  const luck = new Map(
    faultyTasks.map(({ id }, index) => [id, createRandom(seed + index)] as const),
  )
  return ({ messages, purpose }) => {
    const said = messages.map(({ content }) => content)
    if (purpose === 'classify') return '{"reason": "unknown", "explanation": "It still fails."}'
    const task = faultyTasks.find(({ id }) => new RegExp(`\\b${id}\\b`).test(said.join('\n')))
    const random = luck.get(task?.id ?? '')
    if (task === undefined || random === undefined) throw new Error('The question has no task.')
    const write = (chance: number): Condition => {
      const isFaulty = random() < chance
      const kind = random() < 0.5 ? 'broken' : 'wrong'
      return isFaulty ? kind : 'right'
    }
    const before = written.get(task.id)
    const isDraft = before === undefined || purpose === 'draft'
    const wanted = isDraft ? [] : toMend(task, before, said.at(-1) ?? '')
    const after = Array.from({ length: perModule }, (_, index) => {
      if (isDraft || wanted.includes(index)) return write(faultyWhenWritten)
      const known = before[index] ?? 'right'
      if (style === 'edits' || known !== 'right') return known
      return write(faultyWhenCopied)
    })
    written.set(task.id, after)
    if (isDraft || style === 'whole files') return wholeFiles(task, after)
    return wanted
      .map((index) => edit(task.path, textOf(task, index, before), textOf(task, index, after)))
      .join('')
  }
}

function toMend(task: FaultyTask, written: readonly Condition[], said: string): readonly number[] {
  const faulty = [...written.keys()].filter((index) => written[index] !== 'right')
  const firstBroken = faulty.find((index) => written[index] === 'broken')
  const named = faulty.filter(
    (index) => written[index] === 'wrong' && said.includes(nameOf(task, index)),
  )
  const found = [...(firstBroken === undefined ? [] : [firstBroken]), ...named]
  return found.length > 0 ? found : faulty.slice(0, 1)
}

const numberOf = ({ id }: FaultyTask): string => id.slice('T-'.length)

const nameOf = (task: FaultyTask, index: number): string => `scale${numberOf(task)}x${index + 1}`

function wholeFiles(task: FaultyTask, written: readonly Condition[]): string {
  const text = [...written.keys()].map((index) => `${textOf(task, index, written)}\n`).join('\n')
  const test = task.path.replace(/^src\/(.+)\.js$/, 'test/$1.test.js')
  return file(task.path, text) + file(test, testOf(task))
}

function textOf(task: FaultyTask, index: number, written: readonly Condition[]): string {
  const condition = written[index] ?? 'right'
  const plus = Number(numberOf(task)) + (condition === 'wrong' ? 1 : 0)
  const lines = [
    `/** The value times ${index + 1}, and ${numberOf(task)}. */`,
    `export function ${nameOf(task, index)}(value) {`,
    `  const scaled = value * ${index + 1}`,
    `  return scaled + ${plus}`,
  ]
  return [...lines, ...(condition === 'broken' ? [] : ['}'])].join('\n')
}

function testOf(task: FaultyTask): string {
  const names = Array.from({ length: perModule }, (_, index) => nameOf(task, index))
  const from = `../${task.path}`
  const cases = names.map(
    (name, index) =>
      `test('${name}', () => assert.equal(${name}(10), ${10 * (index + 1) + Number(numberOf(task))}))\n`,
  )
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ${names.join(', ')} } from '${from}'

${cases.join('')}`
}
