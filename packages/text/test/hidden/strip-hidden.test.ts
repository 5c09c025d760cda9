import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { honestTexts } from '../../../../scores/honest-texts.ts'
import { runs } from '../../../../test/property-runs.ts'
import { kindOf, stripHidden } from '../../hidden/hidden-text.ts'
import { terminalText } from '../../hidden/terminal.ts'

const markdown = (text: string) => stripHidden(text, 'markdown')

describe('a Markdown text', () => {
  test.each([
    ['a <!-- x --> b', 'a  b'],
    ['- [ ] a\n- [x] b `c`\n', '- [ ] a\n- [x] b `c`\n'],
    ['- [ ] a\n- [x] b\n\n[c]: d.md', '- [ ] a\n- [x] b\n\n'],
    ['<!-- x', ''],
    ['- a\n\n<!--\nx\n-->\n\nb', '- a\n\n\n\n\n\nb'],
    ['`<!-- x -->` <!-- y -->', '`<!-- x -->` '],
    ['<details>\n<summary>S</summary>\nx\n</details>\n', '\n<summary>S</summary>\n\n\n'],
    [
      '<details open>\n<summary>S</summary>\n\nx\n</details>',
      '<details open>\n<summary>S</summary>\n\nx\n</details>',
    ],
    ['<div hidden>a<div>b</div>c</div>d', 'd'],
    ['<b style="color:red" id="x">a</b>', '<b>a</b>'],
    ['![x](a.png "y")', '![](a.png)'],
    ['[a](b.md "x")', '[a](b.md)'],
    ['[a](https://me:x@b.example/c?d#e)', '[a]()'],
    ['[a](https://b.example/c?d#e)', '[a](https://b.example/c)'],
    ['[a][x]\n\n[x]: b.md', '[a]\n\n'],
    ['[a]\n\n[a]: b.md "x"', '[a]\n\n[a]: <b.md>'],
    ['```js x\n<!-- y -->\n```', '```js\n<!-- y -->\n```'],
    ['| a |\n|---|\n| 1 | x | y |', '| a |\n|---|\n| 1 |'],
    ['$\\def\\x{y}$ a $b$', ' a $b$'],
    ['$$\na % x\n$$', '$$\na \n$$'],
    ['`$\\def\\x{y}$`', '`$\\def\\x{y}$`'],
    ['```stl\nsolid x\nvertex 0 1e-2 -3\n```', '```stl\nsolid \nvertex 0 1e-2 -3\n```'],
    ['> ```geojson\n> {"x": 1}\n> ```', '> ```geojson\n> {"": 1}\n> ```'],
    ['```mermaid\nA-->B %% x\nclick A "y"\n```', '```mermaid\nA-->B \n\n```'],
    ['a[^1]\n\n[^1]: b\n\n[^1]: x', 'a[^1]\n\n[^1]: b\n\n'],
    ['a&#8203;b&zwnj;c &amp; &copy; &#65;', 'abc &amp; &copy; &#65;'],
  ])('%j is %j', (text, shown) => {
    expect(markdown(text).text).toBe(shown)
  })

  it('reports the removed text and its line', () => {
    expect(markdown('a\n\n<!-- x\ny --> \u202Eb \u{E0058}\u{E0059}').removed).toEqual([
      { channel: 'HTML comment', line: 3, excerpt: '<!-- x y -->' },
      { channel: 'bidirectional control', line: 4, excerpt: '<U+202E>' },
      { channel: 'tag character', line: 4, excerpt: '<tags: XY>' },
    ])
  })

  it('keeps every line at its number, and finds nothing more a second time', () => {
    const scrap = fc.constantFrom(
      ...[
        '<!--',
        '-->',
        '<b x="',
        '">',
        '<details>',
        '</details>',
        '<summary>',
        '</summary>',
        '\n',
      ],
      ...[
        '\n\n',
        '[a]',
        '(b "c")',
        '![',
        '](',
        ')',
        ': <x>',
        '`',
        '```',
        '    ',
        '- ',
        '> ',
        'x',
        ' ',
      ],
      ...[
        '\u200B',
        '\u202E',
        '&#8203;',
        '&lt;!--',
        '$\\phantom{',
        '}$',
        '<div hidden>',
        '</div>',
        '[^1]',
        '%%',
      ],
    )
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 30 }), (scraps) => {
        const text = scraps.join('')
        for (const kind of ['markdown', 'html', 'code', 'plain'] as const) {
          const shown = stripHidden(text, kind)
          expect(shown.text.split('\n')).toHaveLength(text.split('\n').length)
          if (shown.removed.length === 0) expect(shown.text).toBe(text)
          expect(shown.text).not.toMatch(/[\u200B\u202E]/)
        }
      }),
      { numRuns: runs(400) },
    )
  })

  test.each(honestTexts)('nothing is lost of: %s', (text) => {
    for (const kind of ['markdown', 'html', 'code', 'plain'] as const) {
      const wanted = kind === 'html' ? text.replace(/<!--.*?-->/g, '') : text
      expect(stripHidden(text, kind).text).toBe(wanted)
    }
  })
})

describe('a huge or hostile text', () => {
  const units = [
    ...['[', '![', '<', '`', '*a ', '<!--', '[a](', '> ', '- ', '&', '<a b="', '\u200B', ' '],
    ...[
      '[^a]:\n',
      '<details>',
      '<div hidden>',
      '</b>',
      '~~',
      '\n- a\n',
      '[a]: b\n',
      '\r',
      '\u001B[',
    ],
    ...[
      '$',
      '$\\phantom{',
      '$a ',
      '$a % ',
      '\\\\',
      '| a ',
      '|---',
      '---\n|',
      '```math\n',
      '```stl\n"',
    ],
    '```mermaid\n%%{ accDescr {\n---\n',
  ]
  test.each(units)('a quarter of a megabyte of %j ends', (unit) => {
    const text = unit.repeat(Math.ceil(250_000 / unit.length))
    for (const part of [text, text.slice(0, 50_000)]) {
      expect(markdown(`${part}<!-- CANARY -->`).text).not.toContain('-->x')
      expect(terminalText(part).length).toBeLessThanOrEqual(part.length)
    }
  })

  it('too long to be taken apart loses comments, targets and attributes wherever they stand', () => {
    const filler = 'words of a long document\n'.repeat(4_000)
    const hidden =
      '<!-- X1 --> ![X2](a "X3") [a](b?X4) <b title="X5">c</b> <p hidden>X6</p>\n[X7]: x\n' +
      '\n$\\phantom{X8}$ $a % X9$\n|a|b|\n|-|-|\n| 1 | 2 | X8 |\n1 | 2 | X8\n' +
      '\n- ```stl\n  solid X9\n  ```\n~~~mermaid\n%% X9'
    expect(markdown(`${filler}${hidden}`).text).not.toMatch(/X\d/)
  })
})

describe('tags in the code of a text that is too long to be taken apart', () => {
  const filler = 'words of a long document\n'.repeat(4_000)

  test.each([
    'Escape `<title>` and ``<script>`` in names.\n\nThe rest is here.\n',
    '- `</details>` closes it\n- `<template>` does not\n',
  ])('are seen, and so is what follows: %j', (part) => {
    expect(markdown(`${filler}\n${part}`).text).toBe(`${filler}\n${part}`)
  })

  test.each([
    '<div>\n` <template> `X1</template>\n</div>\n',
    '<https://a.test/`> <template>X2</template> <https://b.test/`>\n',
    'a ` b\n` <template> ` X3 </template>\n',
    '\\` <template>X4</template> \\`\n',
    '`a` <template>X5</template> `b`\n',
    '`<!-- X6 -->`\n',
  ])('are tags where they may be none of code: %j', (part) => {
    expect(markdown(`${filler}\n${part}`).text).not.toMatch(/X\d/)
  })
})

describe('what a terminal shows', () => {
  test.each([
    ['a\u001B[31mb\u001B[0mc', 'abc'],
    ['a\u001B[8mb\u001B[28mc', 'ac'],
    ['a\u001B[8mb\u001B[mc', 'ac'],
    ['a\u001B[1;31;41mb\u001B[42mc', 'ac'],
    ['a\u001B[97;107mb\u001B[39mc', 'ac'],
    ['a\u001B[38;2;1;2;3;48;2;1;2;3mb\u001B[0mc', 'ac'],
    ['a\u001B[38;5;8mb\u001B[0mc', 'abc'],
    ['\u001B]8;;http://x\u0007a\u001B]8;;\u0007', 'a'],
    ['a\u001BPx\u001B\\b', 'ab'],
    ['50%\r100%\n', '100%\n'],
    ['abc\rx\n', 'xbc\n'],
    ['a\r\nb\r\n', 'a\nb\n'],
    ['ab\b\bcd', 'cd'],
    ['a\u009B8mb\u009B0mc', 'ac'],
  ])('%j is %j', (text, shown) => {
    expect(terminalText(text)).toBe(shown)
  })
})

test.each([
  ['docs/README.md', 'markdown'],
  ['a.MDX', 'markdown'],
  ['index.html', 'html'],
  ['src/a.js', 'code'],
  ['README', 'code'],
])('%s is %s', (path, kind) => {
  expect(kindOf(path)).toBe(kind)
})
