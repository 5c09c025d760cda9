import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../../test/property-runs.ts'
import { readShellCommands } from '../../../destructive/shell/read-commands.ts'

const written = (text: string) =>
  readShellCommands(text).map(({ words, offset }) =>
    words.map(({ pos, end }) => text.slice(offset + pos, offset + end)),
  )

describe('commands of a script', () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ['a b; c && d || e | f & g', [['a', 'b'], ['c'], ['d'], ['e'], ['f'], ['g']]],
    ['a \\\n  b # c\nd', [['a', 'b'], ['d']]],
    ['a \'b c\' "d e" f\\ g', [['a', "'b c'", '"d e"', 'f\\ g']]],
    ['X=1 Y="2 3" a b', [['a', 'b']]],
    ['if a; then b; elif c; then d; else e; fi', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['while a; do b; done; (c; d) | { e; }', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['case $x in\n a|b) c ;;\n (d) e ;;\nesac\nf', [['c'], ['e'], ['f']]],
    ['f() { a; }\nfunction g { b; }', [['a'], ['b']]],
    ['a > b 2>&1 < c', [['a']]],
    ['[[ $a == (b|c) && d ]] && e', [['e']]],
    ['a=(b c) d', [['d']]],
    ['echo $((1 + 2)) ${x:-y}', [['echo', '$((1 + 2))', '${x:-y}']]],
  ])('%j', (text, expected) => {
    expect(written(text).filter((words) => words.length > 0)).toEqual(expected)
  })

  it('knows what runs inside a word, and what a pipe feeds', () => {
    const [first, second, outer] = readShellCommands('a "x $(b | c)"')
    expect([first, second].map((each) => each?.words.length)).toEqual([1, 1])
    expect(second?.pipedFrom).toBe(first)
    expect(outer?.words).toHaveLength(2)
  })

  it('knows a here-document, whose lines are no commands', () => {
    const text = 'cat <<EOF > x\nrm a\nEOF\nb'
    const [cat, last] = readShellCommands(text)
    const [here] = cat?.redirects ?? []
    expect(here?.type === 'HereDoc' && here.body.text).toBe('rm a\n')
    expect(last?.words).toHaveLength(1)
  })

  it('keeps every place inside the text, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab \n\'"`$(){}[]<>;&|=#\\!'), maxLength: 80 }),
        (text) => {
          for (const { start, end } of readShellCommands(text)) {
            expect(start).toBeGreaterThanOrEqual(0)
            expect(end).toBeLessThanOrEqual(text.length)
          }
        },
      ),
      { numRuns: runs(2_000) },
    )
  })
})
