import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { applyEdits } from '../../answer/apply-edits.ts'

const start = 'one\ntwo\nthree\nfour\nfive\n'
const edit = (search: string, replace: string) => ({ search, replace })
const apply = (now: string, ...edits: ReturnType<typeof edit>[]) =>
  applyEdits('a.txt', now, edits, { start })

describe('an edit of lines that an earlier answer has changed', () => {
  test.each([
    [
      'replaces what they became, and keeps the other changes',
      'one\n2\n2b\nthree\nfour\n5\n',
      edit('two\n', 'zwei\n'),
      'one\nzwei\nthree\nfour\n5\n',
    ],
    [
      'with lines around them',
      'one\n2\nthree\nfour\nfive\n',
      edit('one\ntwo\nthree\n', 'one\nzwei\nthree\n'),
      'one\nzwei\nthree\nfour\nfive\n',
    ],
    [
      'takes what was added at its end',
      'one\n2\nthree\nadded\nfour\nfive\n',
      edit('two\nthree\n', 'zwei\nthree\n'),
      'one\nzwei\nthree\nfour\nfive\n',
    ],
    [
      'puts lines back that are gone',
      'one\nfour\nfive\n',
      edit('two\nthree\n', 'two\n3\n'),
      'one\ntwo\n3\nfour\nfive\n',
    ],
    [
      'of the first line',
      '1\ntwo\nthree\nfour\nfive\n',
      edit('one\n', 'eins\n'),
      'eins\ntwo\nthree\nfour\nfive\n',
    ],
    [
      'of the last line',
      'one\ntwo\nthree\nfour\n5\n',
      edit('five\n', 'fünf\n'),
      'one\ntwo\nthree\nfour\nfünf\n',
    ],
    [
      'in a file with Windows line ends',
      'one\r\n2\r\nthree\r\n',
      edit('two\n', 'zwei\n'),
      'one\r\nzwei\r\nthree\r\n',
    ],
  ])('%s', (_, now, wanted, text) => {
    const edited = apply(now, wanted)
    expect(edited).toMatchObject({ text, refusals: [] })
    expect(edited.notes).toEqual([expect.stringContaining('an earlier answer had changed')])
  })

  test.each([
    ['that are there twice', 'x\nx\ny\n', 'x\n1\ny\n', edit('x\n', 'z\n')],
    ['that a change crosses', start, 'one\n2+3\nfour\nfive\n', edit('three\nfour\n', 'drei\n')],
    ['that an earlier answer copied', start, 'one\n2\ntwo\nthree\ntwo\n', edit('two\n', 'zwei\n')],
    ['that were never there', start, 'one\n2\nthree\nfour\nfive\n', edit('six\n', 'sechs\n')],
  ])('is refused for lines %s', (_, before, now, wanted) => {
    const edited = applyEdits('a.txt', now, [wanted], { start: before })
    // Lines that are still there, once, are no such case.
    if (edited.refusals.length === 0) expect(now.split(wanted.search)).toHaveLength(2)
    else expect(edited).toMatchObject({ text: now, refusals: [{ path: 'a.txt' }] })
  })

  it('leaves lines outside as they are, whatever was changed', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    fc.assert(
      fc.property(
        fc.uniqueArray(line, { minLength: 3 }),
        fc.nat(5),
        fc.array(line),
        (lines, at, draft) => {
          const from = at % lines.length
          const [before, own, after] = [
            lines.slice(0, from),
            lines.slice(from, from + 1),
            lines.slice(from + 1),
          ]
          const changed = draft.map((each) => `${each}${each}`)
          const now = [...before, ...changed, ...after]
          const text = (all: readonly string[]) => all.map((each) => `${each}\n`).join('')
          const edited = applyEdits('a.txt', text(now), [edit(text(own), 'new\n')], {
            start: text(lines),
          })
          expect(edited.text).toBe(text([...before, 'new', ...after]))
        },
      ),
    )
  })
})
