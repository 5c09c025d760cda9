import { describe, it } from 'vitest'
import { edit, file, once, testOf, withRoadmap } from '../action/toolbox.ts'
import { openWorld, type Way, type World } from './world.ts'

const names = ['one', 'two', 'three'] as const

const tasks = names.map((name, at) => `T-${at + 1}: Let \`${name}\` say more, in \`src/words.js\``)

const files = {
  ...withRoadmap(...tasks),
  'src/words.js': names.map((name) => `export const ${name} = () => '${name}'\n\n`).join('\n'),
}

const say = (at: number, word: string): string => {
  const name = names[at - 1] ?? ''
  return edit(
    'src/words.js',
    `export const ${name} = () => '${name}'`,
    `export const ${name} = () => '${word}'`,
  )
}

const words = ['I', 'II', 'III'] as const
const drafts = once(
  'T-1',
  words.map((word, at) => `## T-${at + 1}\n${say(at + 1, word)}`).join('\n'),
)

const config = 'group: file\n'

const wordsOn = async ({ bench }: World, branch: string) =>
  ((await bench.file(branch, 'src/words.js')).match(/'\w+'/g) ?? []).join(' ')

const ticksOn = async ({ bench }: World, branch: string) =>
  ((await bench.file(branch, 'ROADMAP.md')).match(/\[[x ]\]/g) ?? []).join('')

const lastWords = async ({ bench }: World) =>
  (await bench.comments()).filter(({ author }) => author.includes('bot')).at(-1)?.body ?? ''

const quiet = { modelCalls: 0, writes: 0 }

describe.each<Way>(['action', 'app'])('a group of three small tasks, by way of the %s,', (way) => {
  it.concurrent('is one request and one pull request, which names them all', async ({ expect }) => {
    await using world = await openWorld(way, files, [drafts], { config })
    expect(await world.night()).toMatchObject({ modelCalls: 1 })
    const [pull, ...others] = await world.bench.pulls()
    expect(others).toEqual([])
    expect(pull).toMatchObject({
      head: 'agent/T-1',
      title: expect.stringContaining('T-1, T-2, T-3'),
    })
    expect(pull?.body).toMatch(/Completes 3 tasks:\n\n- \*\*T-1\*\*: Let/)
    expect(pull?.body.match(/^<!-- executor:member T-\d [0-9a-f]{64} -->$/gm)).toHaveLength(3)
    expect([await wordsOn(world, 'agent/T-1'), await ticksOn(world, 'agent/T-1')]).toEqual([
      "'I' 'II' 'III'",
      '[x][x][x]',
    ])
    expect(await world.night()).toMatchObject(quiet)
    await world.merge(1, 'squash')
    await world.bench.deleteBranch('agent/T-1')
    expect(await ticksOn(world, 'main')).toBe('[x][x][x]')
    expect(await world.night()).toMatchObject({ modelCalls: 0 })
    expect(await world.bench.pulls()).toHaveLength(1)
  })

  it.concurrent('loses the one that a person skips', async ({ expect }) => {
    await using world = await openWorld(way, files, [drafts], { config })
    await world.night()
    expect(await world.say(1, '/skip T-2')).toMatchObject({ modelCalls: 0 })
    expect(await lastWords(world)).toContain('Took **T-2** out of this')
    expect(await wordsOn(world, 'agent/T-1')).toBe("'I' 'two' 'III'")
    expect(await ticksOn(world, 'agent/T-1')).toBe('[x][ ][x]')
    expect(await world.night()).toMatchObject({ modelCalls: 0 })
    await world.say(1, '/status')
    await world.merge(1)
    expect(await world.night()).toMatchObject({ modelCalls: 0 })
    expect(await ticksOn(world, 'main')).toBe('[x][ ][x]')
    expect(await world.bench.pulls()).toMatchObject([{ state: 'merged' }])
  })

  it.concurrent('lets one be tried again alone', async ({ expect }) => {
    const again = once('T-2', say(2, 'zwei'))
    await using world = await openWorld(way, files, [drafts, again], { config })
    await world.night()
    expect(await world.say(1, '/retry T-2')).toMatchObject({ modelCalls: 1 })
    expect(await world.bench.pulls()).toMatchObject([{ head: 'agent/T-1' }, { head: 'agent/T-2' }])
    expect(await wordsOn(world, 'agent/T-1')).toBe("'I' 'two' 'III'")
    expect(await wordsOn(world, 'agent/T-2')).toContain("'zwei'")
    expect(await world.night()).toMatchObject({ modelCalls: 0 })
    await world.say(1, '/skip T-9')
    expect(await lastWords(world)).toContain('it has **T-1**, **T-2**, **T-3**')
    await world.say(1, '/retry T-1')
    expect(await lastWords(world)).toContain('gives its name to this branch')
    expect(await world.bench.pulls()).toHaveLength(2)
  })

  it.concurrent('is revised as a whole, and approved as a whole', async ({ expect }) => {
    const revised = {
      when: { contains: 'REVIEW', task: 'T-1' },
      answers: [
        `## T-3\n${edit('src/words.js', "export const three = () => 'III'", "export const three = () => 'drei'")}`,
      ],
    }
    const merging = `${config}merge-on-approve: true\nmerge-without-checks: true\n`
    await using world = await openWorld(way, files, [revised, drafts], { config: merging })
    await world.night()
    expect(await world.say(1, '/revise Say it in German')).toMatchObject({ modelCalls: 1 })
    expect(await wordsOn(world, 'agent/T-1')).toBe("'I' 'II' 'drei'")
    const [pull] = await world.bench.pulls()
    expect(pull?.body).toContain('Completes 3 tasks')
    await world.say(1, '/approve')
    expect(await world.bench.pulls()).toMatchObject([{ state: 'merged' }])
    expect(await ticksOn(world, 'main')).toBe('[x][x][x]')
    expect(await world.night()).toMatchObject({ modelCalls: 0 })
  })
})

const even = file(
  'src/even.js',
  "import { odd } from './odd.js'\n\nexport const even = (n) => n === 0 || odd(n - 1)\n",
)
const odd = file(
  'src/odd.js',
  "import { even } from './even.js'\n\nexport const odd = (n) => n !== 0 && even(n - 1)\n",
)
const both = even + odd + file('test/even.test.js', testOf('even', 'assert.equal(even(3), false)'))

describe.each<Way>(['action', 'app'])(
  'two tasks that need each other, by way of the %s,',
  (way) => {
    it.concurrent('are one pull request, and both ticked', async ({ expect }) => {
      const roadmap = withRoadmap('T-1: Create `src/even.js`', 'T-2: Create `src/odd.js`')
      const together = {
        when: { contains: 'src/odd.js', purpose: 'draft', task: 'T-1' },
        answers: [both],
      }
      await using world = await openWorld(way, roadmap, [
        together,
        once('T-1', even),
        once('T-2', odd),
      ])
      expect(await world.night()).toMatchObject({ modelCalls: 3 })
      expect(await world.bench.pulls()).toMatchObject([{ head: 'agent/T-1' }])
      const [pull] = await world.bench.pulls()
      expect(pull?.body).toContain('Completes 2 tasks')
      expect(await ticksOn(world, 'agent/T-1')).toBe('[x][x]')
      expect(await world.night()).toMatchObject(quiet)
      await world.merge(1, 'squash')
      expect(await ticksOn(world, 'main')).toBe('[x][x]')
      expect(await world.night()).toMatchObject({ modelCalls: 0 })
    })
  },
)
