import { afterAll, beforeAll, describe, it } from 'vitest'
import { label } from '../../../src/core/domain/identity.ts'
import { file, withRoadmap } from '../action/toolbox.ts'
import { failing, planned, proposal, writes } from './script.ts'
import { openWorld, type Way, type World } from './world.ts'

const roadmap = withRoadmap('T-1: Add a and b', 'T-2: Add c, in `src/c.js`')
const split = [
  ...failing('T-1', 'task_too_complex', proposal('a', 'b')),
  writes('T-2', 'c', 3),
  writes('T-1-a', 'a', 1),
  writes('T-1-b', 'b', 2),
]

const stands = async ({ bench }: World) =>
  (await bench.pulls()).map(({ head, state }) => `${head} ${state}`)

const recoveryOf = async ({ bench }: World) => {
  const pull = (await bench.pulls()).find(({ head }) => head.startsWith('executor/recovery/'))
  if (pull === undefined) throw new Error('There is no proposal.')
  return pull
}

/** What we answered last. */
const lastWords = async ({ bench }: World) =>
  (await bench.comments()).filter(({ author }) => author.includes('bot')).at(-1)?.body ?? ''

describe.each<Way>(['action', 'app'])('a task that keeps failing, by way of the %s,', (way) => {
  it.concurrent('is proposed to be split, and goes on at once when that is approved', async ({
    expect,
  }) => {
    await using world = await openWorld(way, roadmap, split)
    await world.night()
    expect(await stands(world)).toEqual(['executor/recovery/T-1 open', 'agent/T-2 open'])
    const asked = await recoveryOf(world)
    expect(asked).toMatchObject({ base: 'main', labels: [label.recovery] })
    expect(asked.body).toContain('T-1-a')
    const text = await world.bench.file('executor/recovery/T-1', 'ROADMAP.md')
    expect(text).toContain('- [ ] T-1-a: Add a, which answers a number')
    expect(
      await world.bench.git('diff', '--name-only', 'origin/main', 'origin/executor/recovery/T-1'),
    ).toBe('ROADMAP.md')

    const approved = await world.say(asked.number, '/approve')
    expect(approved.modelCalls).toBe(2)
    expect(await stands(world)).toEqual([
      'executor/recovery/T-1 merged',
      'agent/T-2 open',
      'agent/T-1-a open',
      'agent/T-1-b open',
    ])
    expect(await lastWords(world)).toMatch(/T-1-a/)
    const again = await world.night()
    expect(again).toMatchObject({ modelCalls: 0, writes: 0 })
  })
})

/** What decides is the same code behind both doors. */
describe('a task that keeps failing', () => {
  const way = 'action'

  it.concurrent('is told about where it was approved, when the endpoint refuses to go on', async ({
    expect,
  }) => {
    const script = failing('T-1', 'task_too_complex', proposal('a', 'b'))
    await using world = await openWorld(way, withRoadmap('T-1: Add a and b'), script)
    await world.night()
    const asked = await recoveryOf(world)
    const approved = await world.say(asked.number, '/approve')
    expect(approved.exitCode).toBe(1)
    const why = /the run stopped\. The model endpoint refused the request/
    expect(await lastWords(world)).toMatch(why)
    for (const [command, words, who] of [
      ['/help', /`\/approve/, 'reader-token'],
      [
        '/status',
        /\*\*T-1\*\* was replaced in \[#1\].* by \*\*T-1-a\*\*, \*\*T-1-b\*\*\.\n\n2 open/,
        'reader-token',
      ],
      ['/reject', /already merged/, 'writer-token'],
    ] as const) {
      await world.say(asked.number, command, who)
      expect(await lastWords(world)).toMatch(words)
    }
    const replies = (await world.bench.comments()).filter(({ body }) => why.test(body))
    expect(replies).toHaveLength(1)
  })

  it.concurrent('is rewritten on request, and then done', async ({ expect }) => {
    const script = [...failing('T-1', 'task_too_vague', proposal('a')), writes('T-1-a', 'a', 1)]
    await using world = await openWorld(way, withRoadmap('T-1: Make it nicer'), script)
    await world.night()
    const asked = await recoveryOf(world)
    await world.review(asked.number, 'APPROVE', '')
    expect(await stands(world)).toEqual(['executor/recovery/T-1 merged', 'agent/T-1-a open'])
  })

  it.concurrent('is left alone when the proposal is refused, till it is asked for', async ({
    expect,
  }) => {
    const script = [...failing('T-1', 'task_too_complex', proposal('a', 'b'))]
    await using world = await openWorld(way, withRoadmap('T-1: Add a and b'), script)
    await world.night()
    const asked = await recoveryOf(world)
    await world.say(asked.number, '/reject')
    expect(await stands(world)).toEqual(['executor/recovery/T-1 closed'])
    expect(await world.night()).toMatchObject({ modelCalls: 0, writes: 0 })
    const again = await world.say(asked.number, '/retry')
    expect(again.modelCalls).toBeGreaterThan(0)
  })

  it.concurrent('is replaced by the tasks that a person wrote', async ({ expect }) => {
    const script = [
      ...failing('T-1', 'task_too_complex', proposal('a', 'b')),
      writes('T-1-a', 'z', 26),
    ]
    await using world = await openWorld(way, withRoadmap('T-1: Add a and b'), script)
    await world.night()
    const asked = await recoveryOf(world)
    await world.say(
      asked.number,
      '/edit\n- [ ] Add z, which answers 26\n  - **Files**: `src/z.js`, `test/z.test.js`\n',
    )
    expect(await stands(world)).toEqual(['executor/recovery/T-1 merged', 'agent/T-1-a open'])
    expect(await world.bench.file('main', 'ROADMAP.md')).toContain('Add z, which answers 26')
  })

  it.concurrent('is planned, found too much, and split in the end', async ({ expect }) => {
    const plan = '{"files": ["src/a.js"], "complexity": "high", "steps": ["write a", "write b"]}'
    const easy = '{"files": [], "complexity": "low", "steps": []}'
    const script = [
      ...planned('T-1', plan),
      ...planned('T-1-a', easy),
      ...planned('T-1-b', easy),
      ...split,
    ]
    const config = 'strategy: two_phase\n'
    await using world = await openWorld(way, withRoadmap('T-1: Add a and b'), script, { config })
    await world.night()
    await world.say((await recoveryOf(world)).number, '/approve')
    expect(await stands(world)).toEqual([
      'executor/recovery/T-1 merged',
      'agent/T-1-a open',
      'agent/T-1-b open',
    ])
  })

  it.concurrent('that would delete what nobody can bring back asks first', async ({ expect }) => {
    const clean = file(
      'src/clean.js',
      "import { rmSync } from 'node:fs'\n\nexport const clean = (path) => rmSync(path, { recursive: true, force: true })\n",
    )
    const script = [
      { when: { task: 'T-1', purpose: 'draft' }, answers: [clean], usedUp: 'error' as const },
    ]
    await using world = await openWorld(
      way,
      withRoadmap('T-1: Add clean, in `src/clean.js`'),
      script,
    )
    await world.night()
    expect(await stands(world)).toEqual(['executor/recovery/T-1 open'])
    const asked = await recoveryOf(world)
    expect(asked.body).toContain('rmSync')
    expect(await world.night()).toMatchObject({ modelCalls: 0, writes: 0 })
    const approved = await world.say(asked.number, '/approve')
    expect(approved.modelCalls).toBe(0)
    expect(await stands(world)).toEqual(['executor/recovery/T-1 closed', 'agent/T-1 open'])
    expect(await world.bench.file('agent/T-1', 'src/clean.js')).toContain('rmSync')
  })

  it.concurrent('stops after two repairs of each kind, and is classified', async ({ expect }) => {
    const script = failing('T-1', 'unknown')
    await using world = await openWorld(way, withRoadmap('T-1: Add a'), script)
    const night = await world.night()
    expect(night.modelCalls).toBe(4)
    const [pull] = await world.bench.pulls()
    expect(pull).toMatchObject({ head: 'agent/T-1', labels: [label.needsHuman], draft: true })
    expect(await world.bench.message('agent/T-1')).toContain('[skip ci]')
    expect(await world.night()).toMatchObject({ modelCalls: 0, writes: 0 })
  })
})

describe('a proposal', () => {
  let world: World
  let number: number
  beforeAll(async () => {
    world = await openWorld('action', withRoadmap('T-1: Add a and b'), split)
    await world.night()
    number = (await recoveryOf(world)).number
  })
  afterAll(() => world[Symbol.asyncDispose]())

  // Of everybody else who may not, and of words that are none: test/runs/command-table.test.ts.
  it.for([
    ['somebody without rights', '/approve', 'reader-token'],
    ['an old commit', '/approve 0123456', 'writer-token'],
  ] as const)('waits on after the word of %s', async ([, body, who], { expect }) => {
    await world.say(number, body, who)
    expect(await stands(world)).toEqual(['executor/recovery/T-1 open'])
  })

  it('is not approved for a commit that came after the proposal', async ({ expect }) => {
    await world.bench.file('executor/recovery/T-1', 'ROADMAP.md')
    await world.bench.push(
      'executor/recovery/T-1',
      { 'ROADMAP.md': '- [ ] T-9: Mine\n' },
      'origin/executor/recovery/T-1',
    )
    await world.say(number, '/approve')
    expect(await stands(world)).toEqual(['executor/recovery/T-1 open'])
    expect(await lastWords(world)).toMatch(/\/approve [0-9a-f]{40}/)
  })
})
