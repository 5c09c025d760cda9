/** Five things happen; GitHub tells of them in any order, and of each as often as it likes. */
import type { Trigger } from '../../src/runs/triggers/trigger.ts'
import { compareEnds, type EndState, endOf } from './end-state.ts'
import { checkLeases, hour, passNights, run } from './memory-cases.ts'
import { createMemoryWorld, type MemoryWorld } from './memory-world.ts'
import { hopeless, task } from './scenarios.ts'

const roadmap = `# Plan\n\n${[task('T-1', 'one'), task('T-2', 'two'), task('T-3', 'three'), hopeless('T-4')].join('')}`

/** Each leaves the others something to find: they are there when the first of them is told. */
function happen({ repository, pullOf }: MemoryWorld): readonly Trigger[] {
  const ann = repository.person('ann', 'write')
  const numberOf = (head: string): number => pullOf(head).number
  const split = repository.say(ann, numberOf('executor/recovery/T-4'), '/decompose')
  const revision = repository.say(ann, numberOf('agent/T-3'), '/revise Shorter.')
  const words = { title: 'Add more', body: 'Add more, in `src/more.js`.' }
  const number = repository.openIssue(ann, { ...words, labels: [] })
  repository.label(ann, number, 'executor')
  const at = repository.labelEvent(number, 'executor')?.at ?? ''
  repository.merge(numberOf('agent/T-1'))
  repository.close(numberOf('agent/T-2'))
  return [
    { kind: 'remark', remark: split },
    { kind: 'remark', remark: revision },
    { kind: 'issue_labelled', issue: { number, ...words, labelledBy: ann, at } },
    // Two: of the pull request that was merged, and of the one that was closed.
    { kind: 'reconcile' },
    { kind: 'run', only: null },
  ]
}

/** All of them: 120. */
export const orders: readonly (readonly number[])[] = ordersOf([0, 1, 2, 3, 4])

function ordersOf(all: readonly number[]): readonly (readonly number[])[] {
  if (all.length === 0) return [[]]
  return all.flatMap((first) =>
    ordersOf(all.filter((other) => other !== first)).map((others) => [first, ...others]),
  )
}

export interface AnyOrder {
  readonly end: EndState
  readonly paid: number
  readonly wrong: readonly string[]
}

export async function playOrder(order: readonly number[]): Promise<AnyOrder> {
  const world = createMemoryWorld({ roadmap }, 'fresh machines')
  await run(world, { kind: 'run', only: null })
  world.clock.advance(hour)
  const triggers = happen(world)
  const wrong: string[] = []
  for (const index of order) {
    const trigger = triggers[index]
    if (trigger === undefined) throw new Error(`There is no event ${index}.`)
    world.clock.advance(1)
    const { error } = await run(world, trigger)
    if (error !== null) wrong.push(`${trigger.kind} failed: ${error}`)
  }
  wrong.push(...(await passNights(world)))
  const end = await endOf(world)
  const paid = world.paid.length
  return { end, paid, wrong: [...wrong, ...(await checkLeases(world))] }
}

export async function checkOrder(
  order: readonly number[],
  expected: AnyOrder,
): Promise<readonly string[]> {
  const { end, paid, wrong } = await playOrder(order)
  const asked =
    paid === expected.paid ? [] : [`${paid} answers were paid for, not ${expected.paid}`]
  return [...wrong, ...compareEnds(expected.end, end), ...asked]
}
