import { describe, it } from 'vitest'
import { multipleAnswers, multiples, withRoadmap } from '../action/toolbox.ts'
import { openWorld, type Way } from './world.ts'

const ticks = (text: string) => text.match(/- \[x\] T-\d/g) ?? []

describe('a base that moves', () => {
  it.concurrent('leaves the neighbours of a merged task mergeable, with every tick', async ({
    expect,
  }) => {
    await using world = await openWorld('action', withRoadmap(...multiples(3)), multipleAnswers(3))
    await world.night()
    const merged = await world.merge(2, 'squash')
    expect(merged.modelCalls).toBe(0)
    for (const branch of ['agent/T-1', 'agent/T-3']) {
      expect(ticks(await world.bench.file(branch, 'ROADMAP.md'))).toContain('- [x] T-2')
    }
    await world.merge(1, 'merge')
    await world.merge(3, 'squash')
    expect(ticks(await world.bench.file('main', 'ROADMAP.md'))).toHaveLength(3)
    expect(await world.night()).toMatchObject({ modelCalls: 0, writes: 0 })
  })
})

describe.each<Way>(['action', 'app'])('a base that moves, by way of the %s,', (way) => {
  it.concurrent('says which files conflict, and draws the task anew on request', async ({
    expect,
  }) => {
    const [rule] = multipleAnswers(1)
    if (rule === undefined) throw new Error('There is no answer.')
    const script = [{ ...rule, usedUp: 'repeat' as const }]
    await using world = await openWorld(way, withRoadmap(...multiples(1)), script)
    await world.night()
    await world.push({ 'src/times2.js': 'export const times2 = (n) => n << 1\n' })
    expect(await world.bench.comments()).toContainEqual(
      expect.objectContaining({ body: expect.stringContaining('src/times2.js') }),
    )
    const again = await world.say(1, '/retry')
    expect(again.modelCalls).toBe(1)
    const { data } = await world.bench
      .octokit('owner-token')
      .pulls.get({ owner: 'ada', repo: 'engine', pull_number: 1 })
    expect(data.mergeable).toBe(true)
  })
})
