import { afterAll, describe, expect, it } from 'vitest'
import { sandboxKinds } from '../../../../test/sandbox-kinds.ts'
import { type Language, languageNames } from './moves.ts'
import { playAll } from './play-all.ts'
import { countAttacks, groups, type Judged, judge, type Played, showTable } from './tally.ts'

/** The others are played with all tests. */
const everyDay: readonly Language[] = ['sh', 'Python', 'JavaScript']

const { present, missing } = await sandboxKinds()
const wanted = process.env.EXECUTOR_ALL_RUNS ? languageNames : everyDay
const played: Played[] = []

describe('attacks', () => {
  it.each(present)(
    '%s is attacked',
    async (kind) => {
      const here = await playAll(kind, wanted)
      played.push(...here)
      expect(new Set(here.map(({ group }) => group)).size).toBe(Object.keys(groups).length)
    },
    600_000,
  )

  // `unsandboxed` is the last of the kinds: it shows that what is held elsewhere is an attack.
  it('each got going, and none got through', ({ task }) => {
    const judged = judge(played)
    task.file.meta.cases = Object.fromEntries(
      countAttacks(judged).flatMap(({ kind, group, tried, going, held, ownDoing }) => [
        [`${kind}, ${group}: tried`, tried],
        [`${kind}, ${group}: got going`, going],
        [`${kind}, ${group}: held`, held],
        [`${kind}, ${group}: own doing`, ownDoing],
      ]),
    )
    const wrong = judged.filter(({ verdict }) => ['through', 'not started'].includes(verdict))
    const words = ({ verdict, kind, language, group, name }: Judged) =>
      `${verdict}: ${kind}, ${language}: ${group}: ${name}`
    expect(wrong.map(words)).toEqual([])
    expect(judged.length).toBeGreaterThan(200 * present.length)
  })

  afterAll(() => {
    const counted = countAttacks(judge(played))
    const absent = missing.map((kind) => `${kind}: not on this machine`)
    console.log([showTable(counted), ...absent].join('\n'))
  })
})
