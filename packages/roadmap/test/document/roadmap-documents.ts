import fc from 'fast-check'

const marks = fc.constantFrom(' ', ' ', ' ', 'x', 'X', '~', '/', '-', '!')
const bullet = fc.constantFrom('-', '*', '+', '1.', '7)')
const indent = fc.constantFrom('', '', '', ' ', '  ', '   ', '    ', '\t', '      ')
const words = fc.constantFrom(
  'Add the parser',
  '**T-1**: bold',
  'T-../x',
  '`src/a.js` now',
  '1.2 Number',
  'a | b',
  '<b>tag</b>',
  '[link](/url)',
  '[x]: /url',
  'naïve 日本 🚀',
  'ends with \\',
  'a <!-- b -->',
)

const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(indent, bullet, marks, words).map(([i, b, m, w]) => `${i}${b} [${m}] ${w}`),
  },
  { weight: 2, arbitrary: fc.tuple(indent, bullet, words).map(([i, b, w]) => `${i}${b} ${w}`) },
  { weight: 2, arbitrary: fc.tuple(indent, words).map(([i, w]) => `${i}${w}`) },
  { weight: 3, arbitrary: fc.constantFrom('', '', '  ', '\t') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '# Title',
      '## Phase 1: Start',
      '### 1.1 Part',
      'Setext\n---',
      '===',
      '---',
      '- - -',
      '* * *',
      '```',
      '~~~',
      '  ```',
      '<!--',
      '-->',
      '<!-- - [ ] hidden -->',
      '<div>',
      '</div>',
      '<pre>',
      '> - [ ] quoted',
      '> lazy',
      '>',
      '-',
      '- [ ]',
      '|a|b|',
      '|-|-|',
      ':-',
      '[^1]: note',
      '[a]:',
      '/url',
      '"title',
      '    code',
      '- > - [ ] deep',
      '- - [ ] twice',
      '-\t[ ] tab',
      'word [ ] alone',
      '  **Files**: `a.js`',
      '  - Depends on: T-1',
      '# - [ ] heading',
      '*',
      '+   ',
      '2. no list after a paragraph',
      '- 1. [ ] list in list',
    ),
  },
)

/** Documents made of what roadmaps hold and of what is hard about Markdown, one line each. */
export const documentLines = fc.array(line, { maxLength: 30 })

/** The same as text, with every line ending, with and without byte order mark and final newline. */
export const documents = fc
  .tuple(
    documentLines,
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.constantFrom('', '\uFEFF'),
    fc.boolean(),
  )
  .map(([lines, ending, mark, final]) => {
    const text = lines.flatMap((l) => l.split('\n')).join(ending)
    return mark + text + (final ? ending : '')
  })
