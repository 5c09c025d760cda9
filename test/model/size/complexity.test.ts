import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../../packages/text/words/words.ts'
import type { AnswerForm } from '../../../src/core/domain/answer-form.ts'
import type { ContextFile } from '../../../src/core/domain/attempt.ts'
import type { MeasuredForms } from '../../../src/core/domain/calibration.ts'
import { answerRoom, chooseForm, otherForm } from '../../../src/model/size/complexity.ts'

const file = (path: string, facts: Partial<ContextFile> = {}): ContextFile => ({
  ...{ path, text: 'export const answer = 42\n', whole: true },
  ...facts,
})
const long = { text: 'export const answer = 42\n'.repeat(400) }
const outline = { whole: false }

describe('the form of an answer', () => {
  it.each<[string, readonly ContextFile[], readonly string[], AnswerForm | null, AnswerForm]>([
    ['a new file', [], ['src/a.js'], null, 'whole'],
    ['a small file', [file('src/a.js')], ['src/a.js'], null, 'whole'],
    ['a long file', [file('src/a.js', long)], ['src/a.js'], null, 'edits'],
    ['an outline', [file('src/a.js', outline)], ['src/a.js'], null, 'edits'],
    [
      'a small file beside a long one that stays as it is',
      [file('src/a.js'), file('src/b.js', long)],
      ['src/a.js'],
      null,
      'whole',
    ],
    [
      'a small and a long file, where the task leaves open which',
      [file('src/a.js'), file('src/b.js', long)],
      [],
      null,
      'edits',
    ],
    [
      'a small file beside a long test, where the task leaves open which',
      [file('src/a.js'), file('test/a.test.js', long)],
      [],
      null,
      'whole',
    ],
    [
      'a long test that is to be written',
      [file('src/a.js'), file('test/a.test.js', long)],
      ['test/a.test.js'],
      null,
      'edits',
    ],
    ['a long file, as configured', [file('src/a.js', long)], ['src/a.js'], 'whole', 'whole'],
    ['a small file, as configured', [file('src/a.js')], ['src/a.js'], 'edits', 'edits'],
    ['an outline, whole as configured', [file('src/a.js', outline)], [], 'whole', 'edits'],
    ['an outline, as configured', [file('src/a.js', outline)], [], 'function', 'function'],
  ])('of %s', (_, files, targets, configured, form) => {
    expect(chooseForm(files, targets, configured)).toBe(form)
  })
})

describe('the other form', () => {
  const middling = { text: 'export const answer = 42\n'.repeat(400) }
  const longer = { text: 'export const answer = 42\n'.repeat(1_000) }
  it.each<[string, AnswerForm, readonly ContextFile[], AnswerForm]>([
    ['edits of a small file', 'edits', [file('src/a.js')], 'whole'],
    ['edits of a middling file', 'edits', [file('src/a.js', middling)], 'whole'],
    ['edits of a long file', 'edits', [file('src/a.js', longer)], 'function'],
    ['edits of an outline', 'edits', [file('src/a.js', outline)], 'function'],
    [
      'edits beside the outline of a test',
      'edits',
      [file('src/a.js'), file('test/a.test.js', outline)],
      'whole',
    ],
    ['whole files', 'whole', [file('src/a.js')], 'whole'],
    ['functions', 'function', [file('src/a.js')], 'function'],
  ])('than %s', (_, form, files, other) => {
    expect(otherForm(form, files)).toBe(other)
  })
})

describe('the room for an answer', () => {
  const text = 'export const answer = 42\n'
  const each = 2 * estimateTokens(text)
  it.each<[string, readonly string[], number | undefined]>([
    ['a new file', ['src/new.js'], 2_000],
    ['a file', ['src/a.js'], 2_000 + each],
    ['two files', ['src/a.js', 'src/new.js'], 4_000 + each],
    ['files that the task leaves open', [], undefined],
  ])('with %s', (_, targets, room) => {
    expect(answerRoom([file('src/a.js', { text })], targets).maxOutputTokens).toBe(room)
  })
})

/** About this many tokens of code. */
const code = (tokens: number) => 'value = 1\n'.repeat(Math.round((tokens * 4) / 10))

const fileOf = (tokens: number, whole = true) => file('src/a.py', { text: code(tokens), whole })

const edits = (good: number, of = 5): MeasuredForms => ({ edits: { good, of } })

describe('chooseForm, by what was measured', () => {
  it.each([
    ['a short file is whole anyway', 200, true, null, edits(5), 'whole'],
    ['a long file without a measurement', 1_600, true, null, {}, 'edits'],
    ['a model that can edit', 1_600, true, null, edits(5), 'edits'],
    ['70 % are enough', 1_600, true, null, edits(7, 10), 'edits'],
    ['fewer than 70 %', 1_600, true, null, edits(3), 'whole'],
    ['nothing was asked', 1_600, true, null, edits(0, 0), 'edits'],
    ['a file that is too long to be sent whole', 6_000, true, null, edits(0), 'edits'],
    ['a file that is shown in parts', 1_600, false, null, edits(0), 'edits'],
    ['the configured form wins', 1_600, true, 'edits', edits(0), 'edits'],
    ['the configured function wins', 1_600, true, 'function', edits(0), 'function'],
  ] as const)('%s', (_, tokens, whole, configured, measured, form) => {
    expect(chooseForm([fileOf(tokens, whole)], ['src/a.py'], configured, measured)).toBe(form)
  })

  it('counts all files that the answer has to write', () => {
    const files = ['a.py', 'b.py', 'c.py'].map((path) => ({ ...fileOf(1_600), path }))
    expect(chooseForm(files, [], null, edits(0))).toBe('edits')
    expect(chooseForm(files, ['a.py'], null, edits(0))).toBe('whole')
  })
})
