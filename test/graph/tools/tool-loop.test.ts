import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../../packages/text/words/words.ts'
import { attemptOf, changeState, patchAttempt } from '../../../src/core/domain/change-state.ts'
import { writeFiles } from '../../../src/graph/nodes/attempt/write-files.ts'
import type { DraftChecks } from '../../../src/graph/tools/tool-result.ts'
import { anOperation, aTask, someSettings } from '../../fakes/facts.ts'
import { createMemoryStore } from '../../fakes/memory-store.ts'
import { broken, call, edit, play, right, write, wrong } from './play-loop.ts'

const twice = ['needs approval', 'needs approval']

describe('the loop of tools', () => {
  it('ends with a tested change after one write and one test run', async () => {
    const { last, attempt, turns, model, runs } = await play([
      right,
      call('done', { summary: 'It greets.' }),
    ])
    expect(last).toBe('use_tool verified')
    expect(attempt.receipt?.result).toBe('passed')
    expect(attempt.draft?.summary).toBe('It greets.')
    expect(turns.map(({ tool, summary }) => `${tool} → ${summary}`)).toEqual([
      'write_diff → +1 −0 in 1 file',
      'run_tests → 1 passed',
      'done → done',
    ])
    expect(runs).toBe(1)
    expect(model.requests.map(({ purpose }) => purpose)).toEqual(['think', 'think'])
  })

  it('asks nothing more once the accept commands of the task have passed', async () => {
    const attempt = (line: string) => ({ task: aTask({ accept: [line] }) })
    const { last, model } = await play([right], { attempt: attempt('fails-before') })
    expect(last).toBe('use_tool verified')
    expect(model.requests).toHaveLength(1)
    // Tests alone, written first, do not end the task.
    const tests = write("import test from 'node:test'", 'test/greet.test.js')
    const first = await play([tests, right], { attempt: attempt('fails-before') })
    expect(first.model.requests).toHaveLength(2)
    // One that passed before says nothing about the change.
    const other = await play([right, call('done')], { attempt: attempt('passes-before') })
    expect(other.model.requests).toHaveLength(2)
    // Nor is the change whole while the same answer has more of it.
    const more = write("export const more = 'hello'", 'src/more.js')
    const parts = [right, more].map((change) => call('write_diff', { change }))
    const facts = { task: aTask({ accept: ['fails-before'], files: [] }) }
    const two = await play([parts.join(call('run_tests')), call('done')], { attempt: facts })
    expect(two.attempt.draft?.changes.map(({ path }) => path)).toEqual([
      ...['src/greet.js', 'src/more.js'],
    ])
  })

  it('tests a change that is written file by file twice, and then when it is asked to', async () => {
    const files = [1, 2, 3, 4].map((at) => write(`export const a${at} = 'bye'`, `src/a${at}.js`))
    const { turns } = await play([...files, 'NOTHING_TO_DO'], {
      ...{ red: 'bye', stopAfter: 14, attempt: { task: aTask() } },
    })
    expect(turns.filter(({ tool }) => tool === 'run_tests')).toHaveLength(2)
  })

  it('tests a change that is called done without a test', async () => {
    const { last, attempt } = await play([right, call('done')])
    expect(last).toBe('use_tool verified')
    expect(attempt.receipt?.after).toMatchObject({ passed: 1 })
  })

  it('goes on after a failing test, and reflects where that is asked for', async () => {
    const why = '- I assumed the old word.\n2. >= is no `>`.\n> - Say hello.\n- And more.'
    const replies = [wrong, why, edit("'bye'", "'hello'"), call('done')]
    const { steps, attempt, model } = await play(replies, {
      red: 'bye',
      settings: { reflectAfter: 1 },
    })
    expect(steps).toContain('use_tool failed_again')
    expect(steps.at(-1)).toBe('use_tool verified')
    expect(attempt.reflections).toEqual(['I assumed the old word.\n>= is no `>`.\nSay hello.'])
    expect(model.requests[2]?.messages.at(-1)?.content).toContain('>= is no')
    const plain = await play([wrong, edit("'bye'", "'hello'"), call('done')], {
      red: 'bye',
    })
    expect(plain.last).toBe('use_tool verified')
    expect(plain.steps.join()).not.toContain('reflect')
  })

  it.each([
    ['a task that is done already', ['NOTHING_TO_DO'], {}, 'use_tool claims_done'],
    ['a task that is called done twice', [call('done'), call('done')], {}, 'use_tool claims_done'],
    [
      'a task whose change could not be read at first',
      [`Here is src/greet.js, done.${call('done')}`, right, call('done')],
      {},
      'use_tool verified',
    ],
    [
      'calls without a change',
      [call('read_file', { path: 'src/cart.js' }), call('list_files')],
      { limits: { toolCalls: 2 } },
      'use_tool spent',
    ],
    [
      'calls that are spent with a change',
      [right, call('list_files')],
      { limits: { toolCalls: 2 } },
      'use_tool finished',
    ],
    ['prose without an end', Array<string>(5).fill('I think.'), {}, 'use_tool spent'],
    ['repetition without an end', Array<string>(6).fill(call('list_files')), {}, 'use_tool spent'],
    ['a draft, then prose', [right, ...Array<string>(5).fill('Hm.')], {}, 'use_tool finished'],
    [
      'a draft whose tests fail, then prose',
      [wrong, ...Array<string>(5).fill('Hm.')],
      { red: 'bye' },
      'use_tool failed',
    ],
    [
      'a draft whose tests fail, called done with no test run left',
      [wrong, call('run_tests'), call('done')],
      { red: 'bye', limits: { toolTestRuns: 1 } },
      'use_tool failed',
    ],
    [
      'a draft whose tests fail, with no repair left',
      [wrong, ...Array<string>(5).fill('Hm.')],
      { red: 'bye', limits: { testRepairs: 0 } },
      'use_tool spent',
    ],
    [
      'five calls in each answer',
      Array.from({ length: 6 }, (_, at) =>
        [0, 1, 2, 3, 4, 5].map((n) => call('grep', { words: `${at}${n}\u{1f680}` })).join(''),
      ),
      {},
      'use_tool spent',
    ],
    [
      'a change that deletes everything',
      [
        'DELETE: package.json\nDELETE: test/a.test.js\nDELETE: src/cart.js\nDELETE: src/index.js\nDELETE: ROADMAP.md',
      ],
      { limits: { toolCalls: 1 } },
      'use_tool spent',
    ],
    [
      'failing changes in a row',
      [broken, broken, broken],
      { limits: { failingChanges: 3 } },
      'use_tool spent',
    ],
    [
      'changes in a row whose tests fail',
      [wrong + call('done'), wrong + call('run_tests')],
      { limits: { failingChanges: 2 }, red: 'bye' },
      'use_tool spent',
    ],
    [
      'protected paths in a row',
      [write('on: push', '.github/workflows/ci.yml')],
      { limits: { failingChanges: 1 } },
      'use_tool spent',
    ],
    [
      'a change when no test run is left',
      [right, call('done')],
      { limits: { toolTestRuns: 0 } },
      'use_tool finished',
    ],
    [
      'a destructive change',
      [
        write("import { rmSync } from 'node:fs'\nrmSync(process.argv[2])"),
        call('run_tests'),
        call('done'),
      ],
      {},
      'use_tool finished',
    ],
  ] as const)('ends %s', async (_, replies, given, last) => {
    const end = await play([...replies], given)
    expect(end.last).toBe(last)
    expect(end.attempt.loop?.isOpen).toBe(false)
  })

  it('asks once for a promised file before it is done', async () => {
    const attempt = { task: aTask({ files: ['src/greet.js', 'src/say.js'] }) }
    const say = write("export const say = 'hello'", 'src/say.js')
    const { turns, last } = await play([right, call('done'), say, call('done')], {
      attempt,
    })
    expect(turns[2]).toMatchObject({ summary: 'missing: src/say.js', isOk: false })
    expect(turns[2]?.observation).toContain('src/say.js')
    expect(last).toBe('use_tool verified')
    const without = await play([right, call('done'), call('done')], { attempt })
    expect(without.last).toBe('use_tool verified')
    expect(without.attempt.receipt?.warnings?.join()).toContain('src/say.js')
  })

  it('tests a change again that was changed after its tests passed', async () => {
    const { runs, turns, attempt } = await play([right, wrong, call('done'), right, call('done')], {
      red: 'bye',
    })
    expect(turns.map(({ isOk }) => isOk)).toEqual([
      ...[true, true, true, false, false, true, true, true],
    ])
    // One that fails runs a second time; the call of done on it runs nothing.
    expect(runs).toBe(4)
    expect(attempt.draft?.changes[0]).toMatchObject({ content: expect.stringContaining('hello') })
  })

  it('does not count a test run that is asked for again as another failing change', async () => {
    const again = [call('run_tests'), call('done'), call('run_tests')]
    const given = { red: 'bye', limits: { failingChanges: 2 } }
    const { turns, runs, last } = await play([wrong, ...again, right, call('done')], given)
    expect(turns.filter(({ observation }) => observation.includes('as shown above'))).toHaveLength(
      3,
    )
    expect(last).toBe('use_tool verified')
    expect(runs).toBe(3)
  })

  it('tests a change of which a file could not be written', async () => {
    const checks: Partial<DraftChecks> = {
      write_files: async (state, ports) => {
        const { turns = [] } = attemptOf(state).loop ?? {}
        if (turns.length > 1) return writeFiles(state, ports)
        const unfit = { path: 'a.log', type: 'write', message: 'ignored', line: 0, column: 0 }
        return { outcome: 'unfit', patch: patchAttempt(state, { problems: [unfit] }) }
      },
    }
    const { turns, last } = await play([right, call('done')], { checks })
    expect(turns[1]).toMatchObject({ summary: 'not written', isOk: false })
    expect(last).toBe('use_tool verified')
  })

  it('lists operations that nobody is asked about', async () => {
    const text = "import { rmSync } from 'node:fs'\nrmSync(process.argv[2])"
    const { state, last } = await play([write(text), call('run_tests'), call('done')], {
      settings: { pauseDestructive: false },
    })
    expect(last).toBe('use_tool verified')
    expect(state.record.destructive).toMatchObject([{ decision: 'approved' }])
  })

  it('keeps changes that failed their checks, for a file that a person reads', async () => {
    const { attempt } = await play([broken, broken], { limits: { failingChanges: 2 } })
    expect(attempt.draft?.changes.map(({ path }) => path)).toEqual(['src/greet.js'])
    expect(attempt.failure?.message).toContain('2 changes in a row failed their checks or tests')
  })

  it('never runs a change that a person must approve', async () => {
    const text = "import { rmSync } from 'node:fs'\nrmSync(process.argv[2])"
    const { turns, attempt, workspace } = await play([write(text), call('run_tests'), call('done')])
    expect(turns[1]?.observation).toContain('a person has to approve')
    expect(attempt.destructive).toHaveLength(1)
    expect(workspace.folder('T-1')).toBeNull()
  })

  it('runs several calls of one answer without another request', async () => {
    const { model, turns } = await play([
      call('list_files') + call('read_file', { path: 'src/cart.js' }),
      'NOTHING_TO_DO',
    ])
    expect(model.requests).toHaveLength(2)
    expect(turns.map(({ tool }) => tool)).toEqual(['list_files', 'read_file', 'done'])
  })

  it('takes one answer for a whole task, and drops what was planned behind a failure', async () => {
    const whole = await play([right + call('done')])
    expect(whole).toMatchObject({ last: 'use_tool verified', runs: 1 })
    expect(whole.model.requests).toHaveLength(1)
    const twice = await play([wrong + call('done') + call('list_files'), right + call('done')], {
      red: 'bye',
    })
    expect(twice.turns.map(({ tool, isOk }) => `${tool} ${isOk}`)).toEqual([
      ...['write_diff true', 'done false', 'write_diff true', 'done true'],
    ])
  })

  it('mends a draft that does not parse by an edit of it', async () => {
    const { last, turns } = await play([
      write('export const greet = () => {'),
      edit('() => {', "() => 'hello'"),
      call('done'),
    ])
    expect(turns[0]).toMatchObject({ isOk: false })
    expect(last).toBe('use_tool verified')
  })

  it('is resumed without another test run where the machine died right behind one', async () => {
    const store = createMemoryStore()
    const first = await play([right, call('run_tests')], { store, stopAfter: 4 })
    expect(first).toMatchObject({ last: 'use_tool observed', runs: 1 })
    // The journal has the turn; the state is the one before it.
    const { before } = first
    const attempt = { ...attemptOf(before), starts: 2 }
    const again = await play([call('done')], { store, from: changeState(before, { attempt }) })
    expect(again).toMatchObject({ last: 'use_tool verified', runs: 0 })
    expect(again.attempt.receipt).toEqual(first.attempt.receipt)
    // Neither is the run of another draft taken for it, nor one of the same draft in another turn.
    const draft = attemptOf(before).draft
    const other = draft && { ...draft, changes: draft.changes.map((one) => ({ ...one })) }
    const [change] = other?.changes ?? []
    if (change !== undefined && 'content' in change) Object.assign(change, { content: 'bye\n' })
    const changed = changeState(before, { attempt: { ...attempt, draft: other } })
    const third = await play([call('done'), 'NOTHING_TO_DO', 'NOTHING_TO_DO'], {
      ...{ store, from: changed, red: 'bye', stopAfter: 3 },
    })
    expect(third.runs).toBeGreaterThan(0)
  })

  it('asks a person about what a change installs, without a call in vain', async () => {
    const write_files: DraftChecks['write_files'] = async (state) => ({
      outcome: 'destructive',
      patch: patchAttempt(state, { destructive: [anOperation()] }),
    })
    const { last, turns, runs } = await play([right, call('done')], {
      checks: { write_files },
    })
    expect(turns.map(({ summary }) => summary)).toEqual(['+1 −0 in 1 file', ...twice])
    expect(last).toBe('use_tool finished')
    expect(runs).toBe(0)
  })

  it('does not show the model a test that fails by chance', async () => {
    const { last, turns, runs } = await play([right, call('done')], { failsOnce: true })
    expect(last).toBe('use_tool verified')
    expect(turns).toHaveLength(3)
    expect(runs).toBe(2)
  })

  describe('once tests have failed', () => {
    const text = `import test from 'node:test'
import assert from 'node:assert'
test('adds', () => {
  assert.equal(1 + 1, 2)
})
`
    const given = {
      files: { 'test/b.test.js': text },
      attempt: { task: aTask({ files: [] }) },
      red: 'bye',
    }
    const inTest = (search: string, replace: string) =>
      `test/b.test.js\n\`\`\`\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\`\n`
    const asserts = '  assert.equal(1 + 1, 2)'

    it.each([
      ['at once', [inTest(`${asserts}\n})`, '})')]],
      [
        'in a file that does not parse meanwhile',
        [inTest(`${asserts}\n})`, `${asserts}\n}))))`), inTest(`${asserts}\n}))))`, '})')],
      ],
    ])('keeps no test that is weakened %s', async (_, edits) => {
      const { attempt, turns } = await play([wrong, ...edits, right, 'NOTHING_TO_DO'], given)
      expect(JSON.stringify(attempt.draft?.changes)).not.toContain("'adds', () => {\\n})")
      expect(turns[1 + edits.length]?.observation).toMatch(/must not be weakened|discarded/)
    })

    it('says that an edit of a test was discarded beside the rest of the change', async () => {
      const both = inTest(`${asserts}\n})`, '})') + right
      const { turns, last } = await play([wrong, both, call('done')], given)
      expect(turns[2]?.observation).toMatch(
        /^an edit of test\/b\.test\.js .* was discarded\.\nThe change so far: /,
      )
      expect(last).toBe('use_tool verified')
    })
  })

  it('runs the tests behind a change that is sent again', async () => {
    const { turns, model } = await play([
      `I write it.\n${right}`,
      right + call('run_tests'),
      call('done'),
    ])
    expect(turns.map(({ isOk }) => isOk)).toEqual([true, true, true, true, true])
    const said = model.requests.at(-1)?.messages.map(({ content }) => content) ?? []
    expect(said.join().split('I write it.')).toHaveLength(2)
  })

  it('sends no empty turn, whatever the model wrote', async () => {
    const empty = [call('write_diff', { change: '' }), '', call('done', { summary: ' ' })]
    const { model } = await play([...empty, 'NOTHING_TO_DO'], { limits: { failingChanges: 9 } })
    for (const { content } of model.requests.at(-1)?.messages ?? []) {
      expect(content.trim()).not.toBe('')
    }
  })

  it('asks for one file at a time behind a reply that was cut off', async () => {
    const text = '```json\n{"tool": "write_diff", "arguments": {"change": "src/a.js'
    const { turns } = await play([{ text, finish: 'length' }, 'NOTHING_TO_DO'])
    expect(turns[0]?.observation).toContain('cut off')
  })

  it.each([
    ['arguments that are too long', 'x'.repeat(11_000)],
    ['long arguments', 'x '.repeat(1_900)],
  ])('keeps requests short in spite of %s', async (_, words) => {
    const replies = Array.from({ length: 28 }, (_, at) => call('grep', { words: words + at }))
    const { model } = await play([...replies, 'word '.repeat(400), 'NOTHING_TO_DO'])
    const said = model.requests.at(-1)?.messages.map(({ content }) => content) ?? []
    expect(estimateTokens(said.join('\n'))).toBeLessThan(6_000)
  })

  it('keeps of old changes only what a later request shows', async () => {
    const text = Array.from({ length: 300 }, (_, at) => `export const a${at} = 'some words'`)
    const replies = Array.from({ length: 12 }, (_, at) => write([...text, `// ${at}`].join('\n')))
    const { model, attempt } = await play([...replies, call('done')])
    expect(JSON.stringify(attempt.loop).length).toBeLessThan(40_000)
    const said = model.requests.at(-1)?.messages ?? []
    expect(said.every(({ content }) => content !== '')).toBe(true)
    expect(said.filter(({ content }) => content === 'I wrote a change.').length).toBeGreaterThan(8)
  })

  it('repeats the files of the task while they fit beside the newest turns', async () => {
    const text = 'some words of a file\n'.repeat(200)
    const context = ['src/a.js', 'src/b.js'].map((path) => ({ path, text, whole: true }))
    const tools = { ...someSettings().tools, summariseOver: 2_100 }
    const { model } = await play([call('read_file', { path: 'src/cart.js' }), 'NOTHING_TO_DO'], {
      attempt: { context },
      settings: { tools },
    })
    const first = model.requests.map(({ messages }) => messages[1]?.content ?? '')
    expect(first[0]?.split(text.trim())).toHaveLength(3)
    expect(first[1]?.split(text.trim())).toHaveLength(2)
    expect(first[1]).toContain('Shown before, and not repeated: src/b.js')
  })

  it('shrinks old observations to a few words, and keeps the newest whole', async () => {
    const long = Array.from({ length: 200 }, (_, line) => `line ${line} of this file`).join('\n')
    const { model } = await play(
      [call('read_file', { path: 'a.txt' }), call('read_file', { path: 'b.txt' }), 'NOTHING_TO_DO'],
      {
        files: { 'a.txt': long, 'b.txt': long },
        settings: { tools: { ...someSettings().tools, summariseOver: 1_500 } },
      },
    )
    const said = model.requests.at(-1)?.messages.map(({ content }) => content) ?? []
    expect(said.filter((text) => text.includes('line 150 of'))).toHaveLength(1)
    expect(said).toContain('200 lines')
  })
})
