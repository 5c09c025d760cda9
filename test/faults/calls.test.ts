import { afterAll, describe, expect, it } from 'vitest'
import { choose } from './choose-cases.ts'
import { checkEffect, describeEffect, effectCases } from './effect-cases.ts'
import { callFaults, casesOfCalls, checkCall, describeCall, openCallWorld } from './github-calls.ts'
import { checkForeignCommit, checkForeignMarker, checkForeignPull } from './strangers.ts'
import { createTally } from './tally.ts'

const tally = createTally()
afterAll(() => console.log(tally.show('What went wrong with calls')))

describe('an effect', () => {
  it('is there once, whatever answers are lost and however late it is seen', async () => {
    const wrong: Record<string, readonly string[]> = {}
    for (const each of effectCases) {
      tally.count('an effect', `seen after ${each.lag} looks`)
      const found = await checkEffect(each)
      if (found.length > 0) wrong[describeEffect(each)] = found
    }
    expect(wrong).toEqual({})
  })
})

describe('a call to GitHub', () => {
  it('does its work once, whatever becomes of it', async () => {
    await using world = await openCallWorld()
    const all = await casesOfCalls(world)
    const chosen = choose(all, 2 * Object.keys(callFaults).length, 5, ({ fault }) => fault)
    const wrong: Record<string, readonly string[]> = {}
    for (const each of chosen) {
      tally.count('calls', each.fault)
      const found = await checkCall(each, world)
      if (found.length > 0) wrong[describeCall(each)] = found
    }
    expect(wrong).toEqual({})
    expect(await checkForeignMarker(world)).toEqual([])
    expect(await checkForeignPull(world)).toEqual([])
    expect(await checkForeignCommit(world)).toEqual([])
    expect(world.bench.server.contractViolations).toEqual([])
  })
})
