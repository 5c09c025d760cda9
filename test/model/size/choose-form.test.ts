import { describe, expect, it } from 'vitest'
import type { AnswerForm } from '../../../src/core/domain/answer-form.ts'
import type { ContextFile } from '../../../src/core/domain/attempt.ts'
import { chooseForm, otherForm } from '../../../src/model/size/choose-form.ts'

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
  it.each<[AnswerForm, readonly ContextFile[], AnswerForm]>([
    ['edits', [file('src/a.js')], 'whole'],
    ['edits', [file('src/a.js', outline)], 'edits'],
    ['edits', [file('src/a.js'), file('test/a.test.js', outline)], 'whole'],
    ['whole', [file('src/a.js')], 'whole'],
    ['function', [file('src/a.js')], 'function'],
  ])('than %s, number %#, is %3$s', (form, files, other) => {
    expect(otherForm(form, files)).toBe(other)
  })
})
