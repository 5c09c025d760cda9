import { describe, it } from 'vitest'
import { edit, multipleAnswers, multiples, withRoadmap } from '../action/toolbox.ts'
import { openWorld, type Way, type World } from './world.ts'

const one = withRoadmap(...multiples(1))

const lastWords = async ({ bench }: World) =>
  (await bench.comments()).filter(({ author }) => author.includes('bot')).at(-1)?.body ?? ''

describe.each<Way>(['action', 'app'])('a finished task, by way of the %s,', (way) => {
  it.concurrent('is changed as its reviewers want, on top of what they saw', async ({ expect }) => {
    const script = [
      {
        when: { task: 'T-1', contains: 'REVIEW' },
        answers: [
          edit(
            'src/times2.js',
            'export const times2 = (n) => 2 * n',
            'export const times2 = (n) => n + n',
          ),
        ],
      },
      ...multipleAnswers(1),
    ]
    await using world = await openWorld(way, one, script)
    await world.night()
    const [before] = await world.bench.pulls()
    await world.sayOnLine(1, { path: 'src/times2.js', line: 1 }, 'Please add, do not multiply')
    const revised = await world.review(1, 'REQUEST_CHANGES', 'Nearly')
    expect(revised.modelCalls).toBe(1)
    expect(await world.bench.file('agent/T-1', 'src/times2.js')).toContain('n + n')
    await world.bench.git('merge-base', '--is-ancestor', before?.headSha ?? '', 'origin/agent/T-1')
    const asked = world.bench.model.requests.at(-1)
    expect(JSON.stringify(asked?.messages)).toContain('Please add, do not multiply')
    const { reviewComments } = await world.bench.server.state('ada', 'engine')
    expect(reviewComments.filter(({ author }) => author.includes('bot'))).toHaveLength(1)
    expect(await world.night()).toMatchObject({ modelCalls: 0, writes: 0 })
  })
})

describe.each<Way>(['action', 'app'])('an approval whose checks run, by way of the %s,', (way) => {
  const config = 'merge-on-approve: true\n'
  const repository = { autoMerge: true, requiredChecks: ['ci'] }

  it.concurrent('merges its commit when they end well', async ({ expect }) => {
    await using world = await openWorld(way, one, multipleAnswers(1), { config, repository })
    await world.night()
    await world.check(1, 'pending')
    await world.say(1, '/approve')
    expect(await lastWords(world)).toContain('still running')
    const [approved] = await world.bench.pulls()
    expect(await world.check(1, 'success')).toMatchObject({ modelCalls: 0 })
    const [merged] = await world.bench.pulls()
    expect(merged).toMatchObject({ state: 'merged', headSha: approved?.headSha })
    expect(await lastWords(world)).toContain('Merged')
  })

  it.concurrent('merges nothing that is pushed after it', async ({ expect }) => {
    await using world = await openWorld(way, one, multipleAnswers(1), { config, repository })
    await world.night()
    await world.check(1, 'pending')
    await world.say(1, '/approve')
    await world.bench.git('fetch', '--quiet', 'origin')
    const pushed = await world.bench.push('agent/T-1', { 'evil.js': 'evil\n' }, 'origin/agent/T-1')
    await world.check(1, 'success')
    expect(await world.bench.pulls()).toMatchObject([{ state: 'open', headSha: pushed }])
    expect(await lastWords(world)).toContain(`/approve ${pushed}`)
    await world.say(1, `/approve ${pushed}`)
    expect(await world.bench.pulls()).toMatchObject([{ state: 'merged', headSha: pushed }])
  })
})

/** What decides is the same code behind both doors. */
describe('a finished task', () => {
  const way = 'action'

  it.concurrent('is merged on approval where that is allowed', async ({ expect }) => {
    const config = 'merge-on-approve: true\nmerge-without-checks: true\n'
    await using world = await openWorld(way, one, multipleAnswers(1), { config })
    await world.night()
    await world.say(1, '/approve')
    expect(await world.bench.pulls()).toMatchObject([{ number: 1, state: 'merged' }])
    expect(await world.bench.file('main', 'ROADMAP.md')).toContain('- [x] T-1')
    expect(await world.night()).toMatchObject({ modelCalls: 0 })
  })

  it.concurrent('is not merged where nobody allowed it, and its bot says what it understands', async ({
    expect,
  }) => {
    await using world = await openWorld(way, one, multipleAnswers(1))
    await world.night()
    await world.say(1, '/approve')
    expect(await lastWords(world)).toContain('merge-on-approve')
    expect(await world.bench.pulls()).toMatchObject([{ state: 'open' }])
    await world.say(1, '/help')
    expect(await lastWords(world)).toContain('/revise')
    await world.say(1, '/sing')
    expect(await lastWords(world)).toContain('There is no command `/sing`.')
    await world.say(1, '/status')
    expect(await lastWords(world)).toContain('T-1')
  })
})
