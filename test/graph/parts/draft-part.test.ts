import { describe, expect, it } from 'vitest'
import type { Attempt, Plan } from '../../../src/core/domain/attempt.ts'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import { executeTask } from '../../../src/graph/nodes/attempt/execute-task.ts'
import { aboutModel } from '../../../src/model/ask/ask-model.ts'
import { aState, aTask, fakePorts } from '../../fakes/facts.ts'
import type { Files } from '../../fakes/memory-workspace.ts'
import { createScriptedModel, type ScriptedReply } from '../../fakes/scripted-model.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'
import { taskUnderWay } from '../nodes/bench.ts'

const step = (id: string, path: string, needs: readonly string[] = []) => ({
  ...{ id, does: `write ${path}`, files: [path], needs: [...needs] },
})

function planOf(parts: Plan['parts'] = [], complexity: Plan['complexity'] = 'high'): Plan {
  const files = parts.flatMap((part) => part.files)
  return { files, complexity, steps: parts.map(({ does }) => does), parts }
}

const three = [step('a', 'src/a.js'), step('b', 'src/b.js', ['a']), step('c', 'src/c.js')]
const file = (path: string, text: string) => `${path}\n\`\`\`js\n${text}\n\`\`\`\n`
const [a, b, c] = [file('src/a.js', 'a'), file('src/b.js', 'b'), file('src/c.js', 'c')]
const edit = (from: string, to: string) =>
  file(
    'src/index.js',
    `<<<<<<< SEARCH\nexport const ${from}\n=======\nexport const ${to}\n>>>>>>> REPLACE`,
  )
const asks = 'Which file do you mean?'

/** Walks `execute_task` until another node is due. */
async function walk(
  plan: Plan,
  replies: readonly ScriptedReply[],
  { files = {}, ...facts }: Partial<Attempt> & { readonly files?: Files } = {},
) {
  const task = aTask({ title: 'Write the letters' })
  const { workspace, state } = await taskUnderWay({
    files,
    attempt: { task, plan, ...facts },
    state: { progress: { next: 'execute_task' } },
  })
  const model = createScriptedModel(replies)
  const ports = fakePorts({ workspace, model, sandbox: createScriptedSandbox() })
  const outcomes: string[] = []
  let now: RunState = state
  do {
    const { outcome, patch } = await executeTask(now, ports)
    outcomes.push(outcome)
    // What is saved between two steps is all that the next one knows.
    now = JSON.parse(JSON.stringify(changeState(now, patch)))
  } while (outcomes.at(-1) === 'part_drafted')
  const shown = model.requests.map(({ messages }) => messages.at(-1)?.content ?? '')
  return { outcomes, attempt: now.attempt, shown, model }
}

const paths = (attempt: Attempt | null) => attempt?.draft?.changes.map(({ path }) => path)

describe('a plan of parts', () => {
  it('is asked for part by part, each with its own files and those that it needs', async () => {
    const { outcomes, attempt, shown, model } = await walk(planOf(three), [a, b, c])
    expect(outcomes).toEqual(['part_drafted', 'part_drafted', 'drafted'])
    expect(paths(attempt)).toEqual(['src/a.js', 'src/b.js', 'src/c.js'])
    expect(attempt?.draft).toMatchObject({ refusals: [], claimsDone: false })
    expect(model.requests.map(({ purpose }) => purpose)).toEqual(['draft', 'draft', 'draft'])
    expect(shown[1]).toContain('FILES\nsrc/a.js\n```')
    expect(shown[1]).toMatch(/1\. write src\/a\.js \(written\)\n2\. write src\/b\.js \(this step\)/)
    expect(shown[1]).toContain('Write step 2 only, in src/b.js.')
    expect(shown[2]).not.toContain('FILES')
    expect(attempt?.usage.requests).toBe(3)
  })

  it('shows what a part builds on, directly or not', async () => {
    const parts = [...three.slice(0, 2), step('c', 'src/c.js', ['b'])]
    const { shown } = await walk(planOf(parts), [a, b, c])
    expect(shown[2]).toMatch(/FILES\nsrc\/a\.js\n.*\n\nsrc\/b\.js\n/s)
  })

  it('cuts a long file that it builds on to the lines about the part', async () => {
    const long = Array.from({ length: 200 }, (_, n) => `export const value${n} = () => ${n}`).join(
      '\n',
    )
    const parts = [step('a', 'src/a.js'), { ...step('b', 'src/b.js', ['a']), does: 'use value77' }]
    const { shown } = await walk(planOf(parts), [file('src/a.js', long), b])
    expect(shown[1]).toContain('export const value77 = ')
    expect(shown[1]).not.toContain('export const value150 = ')
  })

  it('shows fewer files when the model cannot read all, and knows when that was enough', async () => {
    const parts = [...three.slice(0, 2), step('c', 'src/c.js', ['a', 'b'])]
    const tooLarge = { tooLarge: 'no room' }
    const { outcomes, attempt, shown } = await walk(planOf(parts), [a, b, tooLarge, c])
    expect(outcomes.at(-1)).toBe('drafted')
    expect(shown[2]).toContain('src/b.js\n```')
    expect(shown[3]).not.toContain('src/b.js\n```')
    expect(attempt?.remedies).toMatchObject([{ strategy: 'smaller_scope', worked: true }])
  })

  it('settles an earlier try with less context', async () => {
    const at = aState({ progress: { next: 'execute_task' } })
    const tried = aboutModel(at, 'smaller_scope', 'x', 'less')
    const { attempt } = await walk(planOf(three), [a, b, c], { remedies: [tried] })
    expect(attempt?.remedies).toMatchObject([{ worked: true }])
  })

  it('shows its own file without keys, though the context left it out', async () => {
    const files = {
      'src/index.js': "export const answer = 42\nconst key = 'AKIAIOSFODNN7QWERTYU'\n",
    }
    const parts = [step('a', 'src/index.js'), step('b', 'src/b.js')]
    const { shown } = await walk(planOf(parts), ['NOTHING_TO_DO', b], { files })
    expect(shown[0]).toContain('answer = 42')
    expect(shown[0]).not.toContain('AKIAIOSFODNN7')
  })

  it('edits a file as the parts before left it', async () => {
    const parts = [
      { ...step('a', ''), files: ['src/index.js', 'src/a.js'] },
      step('b', 'src/b.js', ['a']),
    ]
    const more = edit('answer = 43', 'answer = 44')
    const context = [{ path: 'src/index.js', text: 'export const answer = 42\n', whole: true }]
    const wrong = file('src/a.js', '<<<<<<< SEARCH\nno such line\n=======\nx\n>>>>>>> REPLACE')
    const replies = [edit('answer = 42', 'answer = 43') + wrong, a, b + more]
    const { attempt, shown } = await walk(planOf(parts), replies, { context })
    expect(shown[0]).toContain('answer = 42')
    expect(shown[1]).toContain('answer = 43')
    expect(shown[2]).toContain('answer = 43')
    expect(attempt?.draft?.changes).toMatchObject([
      { before: 'export const answer = 42\n', content: 'export const answer = 44\n' },
      { action: 'create', path: 'src/a.js' },
      { action: 'create', path: 'src/b.js' },
    ])
  })

  it.each<[string, Plan]>([
    ['is not complex', planOf(three, 'medium')],
    ['has one part', planOf(three.slice(0, 1))],
    ['has parts that share a file', planOf([...three, step('d', 'src/a.js')])],
    ['has a part without files', planOf([...three, { ...step('d', ''), files: [] }])],
    ['has a file in no part', { ...planOf(three), files: ['src/a.js', 'test/a.test.js'] }],
    ['has plain steps', { files: [], complexity: 'high', steps: ['write', 'test'] }],
  ])('is asked for at once when it %s', async (_, plan) => {
    const { outcomes, shown } = await walk(plan, [a + b + c])
    expect(outcomes).toEqual(['drafted'])
    expect(shown[0]).toContain('PLAN\n- ')
  })
})

describe('a part whose answer cannot be used', () => {
  it('is asked for once more, alone, with the reason', async () => {
    const { outcomes, attempt, shown } = await walk(planOf(three), [a, asks, b, c])
    expect(outcomes).toEqual(['part_drafted', 'part_drafted', 'part_drafted', 'drafted'])
    expect(shown[2]).toMatch(
      /Write step 2 only.*\n\nYour last answer for this step could not be used: ./s,
    )
    expect(attempt?.draft?.refusals).toEqual([])
    expect(paths(attempt)).toEqual(['src/a.js', 'src/b.js', 'src/c.js'])
  })

  it('is left to the repair when no other part needs it', async () => {
    const { outcomes, attempt } = await walk(planOf(three), [a, b, asks, asks])
    expect(outcomes.at(-1)).toBe('drafted')
    expect(paths(attempt)).toEqual(['src/a.js', 'src/b.js'])
    expect(attempt?.draft?.refusals).toMatchObject([
      {
        path: 'src/c.js',
        reason: expect.stringMatching(/^nothing was written for "write src\/c.js": /),
      },
    ])
  })

  it('is forgotten when a later part writes its file', async () => {
    const parts = [step('c', 'src/c.js'), step('a', 'src/a.js')]
    const { attempt } = await walk(planOf(parts), [asks, asks, a + c])
    expect(attempt?.draft?.refusals).toEqual([])
    expect(paths(attempt)?.toSorted()).toEqual(['src/a.js', 'src/c.js'])
  })

  it('fails the task when a later part needs it: the parts before are dropped', async () => {
    const parts = [...three.slice(0, 2), step('c', 'src/c.js', ['b']), step('d', 'src/d.js', ['c'])]
    const { outcomes, attempt, model } = await walk(planOf(parts), [a, b, asks, asks])
    expect(outcomes.at(-1)).toBe('failed')
    expect(model.requests).toHaveLength(4)
    expect(attempt).toMatchObject({ draft: null, parts: null })
    expect(attempt?.failure).toMatchObject({
      at: 'repairs_spent',
      message: expect.stringMatching(
        /^step 3 of 4 failed: .*; steps 1 and 2 are dropped, and nothing was written$/,
      ),
      output: expect.stringContaining(asks),
    })
  })

  const wrong = file('src/index.js', '<<<<<<< SEARCH\nno such line\n=======\nx\n>>>>>>> REPLACE')
  const two = { ...step('a', 'src/a.js'), files: ['src/a.js', 'src/index.js'] }

  it.each<[string, ScriptedReply, number]>([
    ['is no better', wrong, 1],
    ['repeats the rest', a, 1],
    ['is what was missing', edit('answer = 42', 'answer = 43'), 0],
  ])('keeps what could be used; the second answer %s', async (_, answer, refusals) => {
    const parts = planOf([two, step('b', 'src/b.js', ['a'])])
    const { outcomes, attempt } = await walk(parts, [a + wrong, answer, b])
    expect(outcomes).toEqual(['part_drafted', 'part_drafted', 'drafted'])
    expect(paths(attempt)).toEqual(expect.arrayContaining(['src/a.js', 'src/b.js']))
    expect(attempt?.draft?.refusals.map(({ path }) => path)).toEqual(
      Array(refusals).fill('src/index.js'),
    )
  })

  it('was there already: an answer that repeats it is enough', async () => {
    const same = file('src/index.js', 'export const answer = 42')
    const parts = [step('a', 'src/a.js'), step('i', 'src/index.js'), step('c', 'src/c.js', ['i'])]
    const { outcomes, attempt } = await walk(planOf(parts), [a, same, same, c])
    expect(outcomes.at(-1)).toBe('drafted')
    expect(attempt?.draft?.refusals).toEqual([])
  })

  it('was cut off: the repair knows that', async () => {
    const cut = { text: 'src/c.js\n```js\nexport const c = [\n', finish: 'length' } as const
    const { attempt } = await walk(planOf(three), [`First.\n\n${a}`, `Second.\n\n${b}`, cut, cut])
    expect(attempt?.draft).toMatchObject({ isCut: true, summary: 'First.' })
  })
})

it('knows that all parts are there already', async () => {
  const done = 'NOTHING_TO_DO'
  const all = await walk(planOf(three), [done, done, done])
  expect(all.outcomes.at(-1)).toBe('claims_done')
  expect(all.attempt?.draft).toMatchObject({ changes: [], claimsDone: true })
  const some = await walk(planOf(three), [done, b, done])
  expect(some.outcomes.at(-1)).toBe('drafted')
  expect(some.attempt?.draft).toMatchObject({ changes: [{ path: 'src/b.js' }], claimsDone: false })
})

it('keeps the parts so far when the model is away, and asks for the next one later', async () => {
  const { outcomes, attempt } = await walk(planOf(three), [a, { unavailable: 'overloaded' }])
  expect(outcomes).toEqual(['part_drafted', 'unavailable'])
  expect(attempt?.parts?.done).toEqual(['a'])
  const { draft = null, parts = null } = attempt ?? {}
  const resumed = await walk(planOf(three), [b, c], { draft, parts })
  expect(resumed.outcomes).toEqual(['part_drafted', 'drafted'])
  expect(paths(resumed.attempt)).toEqual(['src/a.js', 'src/b.js', 'src/c.js'])
})
