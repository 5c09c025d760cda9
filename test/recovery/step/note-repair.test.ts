import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../../packages/change/change-set.ts'
import { readDraft } from '../../../packages/judge/answer/read-draft.ts'
import type { TestFailure } from '../../../packages/judge/results/test-report.ts'
import type { SyntaxChecker } from '../../../packages/source/syntax-checker.ts'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { JournalEntry } from '../../../src/core/domain/journal-event.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import { repairCode } from '../../../src/graph/nodes/attempt/repair-code.ts'
import { validateCode } from '../../../src/graph/nodes/attempt/validate-code.ts'
import { errorsBetween } from '../../../src/recovery/step/errors-between.ts'
import {
  noteRepair,
  noteTestRepair,
  problemSignature,
  settleTestRepairs,
} from '../../../src/recovery/step/note-repair.ts'
import { anAttempt, fakePorts } from '../../fakes/facts.ts'
import { createKnownFixes } from '../../fakes/known-fixes.ts'
import { createScriptedModel } from '../../fakes/scripted-model.ts'
import { aDraft, attemptAfter, taskUnderWay } from '../../graph/nodes/bench.ts'

const broken = "export const greet = () => 'hello\n"
const file = (text: string) => `src/greet.js\n\`\`\`\n${text}\`\`\`\n`
const syntax: SyntaxChecker = { check: async () => ({ status: 'unavailable', reason: '' }) }
const refused = { path: 'src/greet.js', reason: 'The file was cut off.', excerpt: '' }

const modified = { action: 'modify', path: 'a.js', before: 'a\n', content: 'a\nb\n' } as const
const other = { action: 'modify', path: 'b.js', before: 'c\nd\n', content: '' } as const

const signatureIn = (entries: readonly JournalEntry[]): string => {
  const last = entries.at(-1)
  return last?.kind === 'remedied' ? last.signature : ''
}

/** A draft that is not valid, one repair of it, and the look at what came of that. */
async function repair(answer: string, isCut = false, fix: string | null = null) {
  const change = { action: 'create', path: 'src/greet.js', content: broken } as const
  const draft = isCut ? { changes: [], refusals: [refused], isCut } : { changes: [change] }
  const { workspace, state } = await taskUnderWay({ attempt: { draft: aDraft(draft) } })
  const memory = createKnownFixes()
  const asked: string[] = []
  const ports = fakePorts({
    ...{ workspace, syntax, memory },
    model: {
      async complete({ messages }) {
        asked.push(messages.at(-1)?.content ?? '')
        return { status: 'answered', text: answer, finish: 'stop', usage: noUsage }
      },
    },
  })
  const found = await validateCode(state, ports)
  const [problem] = attemptAfter(found).problems
  if (problem === undefined) throw new Error('The draft of the case is valid.')
  if (fix !== null) {
    const about = { type: 'syntax_error', strategy: 'ask_again', worked: true } as const
    await memory.learn({ ...about, signature: problemSignature(problem), fix })
  }
  const step = await repairCode(changeState(state, found.patch), ports)
  const validated = await validateCode(changeState(state, step.patch), ports)
  return { asked, tried: attemptAfter(step).remedies, remedies: attemptAfter(validated).remedies }
}

describe('a repair', () => {
  it('of one line is noted, and worked when its problem is gone', async () => {
    const { tried, remedies } = await repair(file("export const greet = () => 'hello'\n"))
    expect(tried).toMatchObject([{ type: 'syntax_error', strategy: 'ask_again', worked: null }])
    expect(remedies).toMatchObject([
      {
        fix: "export const greet = () => 'hello → export const greet = () => 'hello'",
        worked: true,
      },
    ])
  })

  it('did not work when the same is wrong afterwards', async () => {
    const { remedies } = await repair(file("export const greet = () => 'hallo\n"))
    expect(remedies).toMatchObject([{ worked: false }])
  })

  it('that brings no file, twice, is two tries that did not help', async () => {
    const given = { base: [], expectedPath: undefined, read: async () => new Map<string, string>() }
    const draft = await readDraft('Which one?', given)
    const { workspace, state } = await taskUnderWay({ attempt: { draft } })
    const model = createScriptedModel(['What do you mean?', 'I do not know.'])
    const ports = fakePorts({ workspace, syntax, model })
    let now = changeState(state, (await validateCode(state, ports)).patch)
    const journal: JournalEntry[] = []
    for (const node of [repairCode, validateCode, repairCode, validateCode]) {
      const step = await node(now, ports)
      const name = node === repairCode ? 'repair_code' : 'validate_code'
      const after = changeState(now, step.patch)
      journal.push(...errorsBetween(now, after, { node: name, outcome: step.outcome }))
      now = after
    }
    const tried = journal.filter(({ kind }) => kind === 'remedied')
    const failed = journal.filter(({ kind }) => kind === 'failed')
    expect(tried).toMatchObject([
      { node: 'validate_code', type: 'model_error', strategy: 'ask_again', worked: false },
      { node: 'validate_code', worked: false },
    ])
    expect(failed.at(-1)).toMatchObject({ node: 'validate_code', signature: signatureIn(tried) })
  })

  it('of many lines is noted, and says nothing to remember', async () => {
    const { remedies } = await repair(file('export const greet = () => {\n  return 1\n}\n'))
    expect(remedies).toMatchObject([{ strategy: 'ask_again', fix: '', worked: true }])
  })

  it('is told what mended the same before', async () => {
    const fix = "export const wave = () => 'bye → export const wave = () => 'bye'"
    const { asked } = await repair(file(broken), false, fix)
    expect(asked[0]).toContain(`The same was mended before in this way: ${fix}`)
    expect((await repair(file(broken))).asked[0]).not.toContain('before')
  })

  it('is not told what mended a line that is nothing like the one that is wrong', async () => {
    const { asked } = await repair(file(broken), false, 'return helper( → return helper()')
    expect(asked[0]).not.toContain('before')
  })

  it('is told what the one before it tried in vain', async () => {
    const worse = file("export const greet = () => 'hallo\n")
    const change = { action: 'create', path: 'src/greet.js', content: broken } as const
    const draft = aDraft({ changes: [change] })
    const { workspace, state } = await taskUnderWay({ attempt: { draft } })
    const model = createScriptedModel([worse, worse])
    const ports = fakePorts({ workspace, syntax, model })
    let now = changeState(state, (await validateCode(state, ports)).patch)
    for (const node of [repairCode, validateCode, repairCode]) {
      now = changeState(now, (await node(now, ports)).patch)
    }
    const [first = '', second = ''] = model.requests.map(
      ({ messages }) => messages.at(-1)?.content ?? '',
    )
    expect(first).not.toContain('Your last repair')
    expect(second).toContain(
      "Your last repair did not help, so do something else. It changed:\n- export const greet = () => 'hello\n+ export const greet = () => 'hallo",
    )
  })

  it('of what we refused teaches nothing', () => {
    const from = { action: 'create', path: 'a.js', content: 'one\n' } as const
    const attempt = anAttempt({
      draft: aDraft({ changes: [from] }),
      problems: [
        {
          path: 'a.js',
          type: 'reply',
          message: 'A failing test must not be changed',
          line: 0,
          column: 0,
        },
      ],
    })
    const repaired = aDraft({ changes: [{ ...from, content: 'return helper();\n' }] })
    expect(noteRepair(attempt, repaired)).toMatchObject([{ fix: '' }])
    const syntaxError = anAttempt({
      ...attempt,
      problems: attempt.problems.map((each) => ({ ...each, type: 'syntax' })),
    })
    expect(noteRepair(syntaxError, repaired)).toMatchObject([{ fix: 'one → return helper();' }])
  })

  it('of an answer that was cut off asks for less', async () => {
    const { asked, remedies } = await repair(file("export const greet = () => 'hello'\n"), true)
    expect(asked[0]).toContain('Reply with one file alone')
    expect(remedies).toMatchObject([{ strategy: 'smaller_scope', worked: true }])
  })
})

const assertion: TestFailure = {
  ...{ test: 'adds', file: 'a.test.js', line: 3, message: 'expected 3, got 4' },
  ...{ expected: '3', actual: '4', errorType: 'AssertionError', trace: [] },
}
const crash: TestFailure = {
  ...{ test: 'loads', file: 'a.test.js', line: 3, message: "Cannot read 'x' of undefined" },
  ...{ expected: null, actual: null, errorType: 'TypeError', trace: [] },
}

describe('a repair after a test', () => {
  it.each<[string, TestFailure, readonly TestFailure[], boolean]>([
    ['worked when nothing fails any more', assertion, [], true],
    ['worked when something else fails now', assertion, [crash], true],
    ['worked when another test says the same', assertion, [{ ...assertion, test: 'b' }], true],
    ['did not work when it fails as before', assertion, [assertion], false],
    [
      'did not work when other figures fail',
      assertion,
      [{ ...assertion, message: 'expected 3, got 5' }],
      false,
    ],
    ['did not work when the same crash is elsewhere', crash, [{ ...crash, test: 'other' }], false],
  ])('%s', (_, broken, after, worked) => {
    const attempt = anAttempt({ broken: [broken], draft: aDraft() })
    const remedies = noteTestRepair(attempt, aDraft())
    expect(settleTestRepairs({ ...attempt, remedies }, after)).toMatchObject([{ worked }])
  })

  it.each<[string, ChangeSet, string]>([
    ['one line', [{ ...modified, content: 'a\nB\n' }], 'b → B'],
    [
      'one line of a file that the change had not touched',
      [modified, { ...other, content: 'c\nD\n' }],
      'd → D',
    ],
    ['two lines', [{ ...modified, content: 'A\nB\n' }], ''],
    ['a line more', [{ ...modified, content: 'a\nb\nc\n' }], ''],
    ['a long line', [{ ...modified, content: `a\n${'B'.repeat(121)}\n` }], ''],
    [
      'a line in each of two files',
      [
        { ...modified, content: 'a\nB\n' },
        { ...other, content: 'c\nD\n' },
      ],
      '',
    ],
    ['a new file', [modified, { action: 'create', path: 'c.js', content: 'c\n' }], ''],
  ])('remembers %s, or nothing', (_, changes, fix) => {
    const attempt = anAttempt({ broken: [crash], draft: aDraft({ changes: [modified] }) })
    expect(noteTestRepair(attempt, aDraft({ changes }))).toMatchObject([{ fix }])
  })
})
