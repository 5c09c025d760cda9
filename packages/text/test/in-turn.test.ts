import { expect, it } from 'vitest'
import { atMost, takingTurns } from '../in-turn.ts'

it.each([
  ['one', takingTurns(), 1],
  ['two', atMost(2), 2],
  ['three', atMost(3), 3],
] as const)(
  'has %s at a time, in the order of the calls, whether or not they fail',
  async (_, inTurn, most) => {
    const [begun, ended]: [number[], number[]] = [[], []]
    let largest = 0
    const work = (number: number) =>
      inTurn(async () => {
        begun.push(number)
        largest = Math.max(largest, begun.length - ended.length)
        for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
        ended.push(number)
        if (number % 2 === 0) throw new Error(`${number}`)
        return number
      })
    const all = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map(work))
    expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(largest).toBe(most)
    expect(all.map(({ status }) => status === 'fulfilled')).toEqual(
      [1, 0, 1, 0, 1, 0, 1].map(Boolean),
    )
  },
)
