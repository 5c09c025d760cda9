import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../../test/property-runs.ts'
import {
  type CodeLanguageName,
  codeLanguages,
  readCodeTokens,
} from '../../../destructive/code/read-code-tokens.ts'

const texts = (language: CodeLanguageName, text: string) =>
  readCodeTokens(text, language)
    .filter(({ kind }) => kind === 'text' || kind === 'command')
    .map((token) => token.text)

describe('texts of a language', () => {
  it.each<[CodeLanguageName, string, readonly string[]]>([
    ['go', 'f("a", `b "c"`) // "d"', ['a', 'b "c"']],
    ['c', 'f("a\\"b"); /* "c" */ char q = \'"\';', ['a"b']],
    ['java', 'var s = """\n a "b"\n""";', ['\n a "b"\n']],
    ['csharp', 'f(@"a ""b"" \\", $"c {d}");', ['a ""b"" \\', 'c \uFFFC']],
    ['rust', 'fn f<\'a>(x: &\'a str) { g(r#"a "b""#, "c") }', ['a "b"', 'c']],
    ['ruby', 'x = <<~SQL\n  a #{b}\nSQL\nf("c")', ['  a \uFFFC\n', 'c']],
    ['ruby', 'f(<<A, <<B)\n1\nA\n2\nB\n', ['1\n', '2\n']],
    ['ruby', 'list << WORD\nf "a"', ['a']],
    ['ruby', '=begin\n"a"\n=end\nx =~ /"b/ ? "c" : %q(d)', ['c', 'd']],
    ['ruby', 'a=1\nf("b")', ['b']],
    ['php', '<p>"a"</p><?php f("b $c"); ?>"d"<?php $x = <<<E\ne\nE;', ['b \uFFFC', 'e\n']],
    ['kotlin', 'f("a $b ${c.d}")', ['a \uFFFC \uFFFC']],
    ['lua', 'f("a") -- "b"\n--[[ "c" ]] g(\'d\')', ['a', 'd']],
    ['javascript', 'x = /"/; f(`a ${b}`, "c")', ['a \uFFFC', 'c']],
  ])('%s: %j', (language, text, expected) => {
    expect(texts(language, text)).toEqual(expected)
  })

  it('are in order for any text', () => {
    const languages = fc.constantFrom(...(Object.keys(codeLanguages) as CodeLanguageName[]))
    const strings = fc.string({
      unit: fc.constantFrom(...'ab1 \n\'"`$@#%/*<>=-\\(){}[]?r_A'),
      maxLength: 80,
    })
    fc.assert(
      fc.property(languages, strings, (language, text) => {
        let last = 0
        for (const { start, end } of readCodeTokens(text, language)) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThanOrEqual(start)
          last = start
        }
        expect(last).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: runs(3_000) },
    )
  })
})
