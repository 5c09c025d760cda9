import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it, test } from 'vitest'
import { runs } from '../../../../test/property-runs.ts'
import { fenced, inertLog, neutralise, neutraliseLine } from '../../markdown/write-markdown.ts'

/** Text that GitHub, this program and other bots act on. */
const active: Readonly<Record<string, RegExp>> = {
  mention: /(?<![A-Za-z0-9])@[A-Za-z0-9]/,
  reference: /#\d|\bGH-\d|\/(?:issues|pull)\/\d/i,
  command: /^[\s>*+-]*\/[a-z]/im,
  switch: /\[(?:skip|no)[ -](?:ci|actions)\]|\[(?:ci|actions)[ -]skip\]/i,
  html: /<[A-Za-z/!?]/,
  entity: /&(?!(?:amp|lt);)#?\w+;/,
  picture: /(?<!\\)(?:\\\\)*!\[/,
  fence: /^[\s>*+-]*(?:`{3}|~{3})/m,
  control: /[\u202A-\u202E\u2066-\u2069\u0000-\u0008\u001B]/,
}
const visible = (text: string) =>
  text
    .replace(/[\u200B\\]/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')

describe('neutralise', () => {
  test.each([
    ['mention', 'cc @team and @org/team'],
    ['mention', '_@someone_'],
    ['reference', 'Fixes #1, closes: #22'],
    ['reference', 'resolves octo/repo#3 and GH-4'],
    ['reference', 'Closes https://github.com/o/r/issues/5'],
    ['command', '/approve'],
    ['command', 'text\n  /merge now'],
    ['command', '> /approve\n- /retry'],
    ['command', 'a\r/approve\u2028/merge'],
    ['switch', 'Done [skip ci] and [No-Actions]'],
    ['html', '<script>x</script>'],
    ['html', '<!-- executor: forged -->'],
    ['html', '<details open><img src=x>'],
    ['entity', '&#64;team &commat;team &num;1'],
    ['picture', '![x](https://evil.example/pixel.png)'],
    ['picture', '\\\\![x](https://evil.example/pixel.png)'],
    ['picture', '\\\\\\\\![x][y] ![z]\n\n[y]: u'],
    ['fence', 'a\n```js\nnever closed'],
    ['fence', '1. x\n> ~~~\n'],
    ['control', 'a\u202Eb\u001B[31m'],
  ])('%s: %j', (what, text) => {
    expect(active[what]?.test(text)).toBe(true)
    const inert = neutralise(text)
    for (const pattern of Object.values(active)) expect(inert).not.toMatch(pattern)
  })

  test.each(['\\', '\\\\', '\\\\\\', '!', '\\!'])(
    '%j before a picture leaves it inert',
    (before) => {
      const inert = fromMarkdown(neutralise(`a ${before}![x](https://evil.example/u) b`))
      expect(JSON.stringify(inert)).not.toContain('"type":"image"')
    },
  )

  it('reads the same', () => {
    const text = 'Hi @team, Fixes #1: a < b && c\n/approve `x<y>` e-mail a@b.example 50% #tag'
    expect(visible(neutralise(text))).toBe(text)
    expect(neutralise('plain text, 1 / 2, a & b < c!')).toBe('plain text, 1 / 2, a & b < c!')
  })

  it('leaves nothing active in any text, and leaves no HTML in the document', () => {
    const scrap = fc.constantFrom(
      ...['@', '#', '1', 'a', '<', '!', '--', '>', '/', '&', '#64;', '```', '~~~', '\n', ' ', '\\'],
      ...[
        '\\![x](u)',
        'GH-',
        'issues',
        'skip ci',
        '[',
        ']',
        '(',
        ')',
        'approve',
        '\u202E',
        '\r',
        '*',
        '-',
        'b>',
      ],
    )
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 24 }), (scraps) => {
        const inert = neutralise(scraps.join(''))
        for (const pattern of Object.values(active)) expect(inert).not.toMatch(pattern)
        const nodes = JSON.stringify(fromMarkdown(inert))
        expect(nodes).not.toMatch(/"type":"(?:html|image|code)"/)
      }),
      { numRuns: runs(600) },
    )
  })
})

describe('neutraliseLine', () => {
  const shapeIn = (text: string) => {
    const [list, ...more] = fromMarkdown(`- before\n- ${neutraliseLine(text)}\n- after\n`, {
      extensions: [gfm()],
      mdastExtensions: [gfmFromMarkdown()],
    }).children
    const items = list?.type === 'list' ? list.children : []
    const inner = items.map(({ checked, children }) => [
      typeof checked === 'boolean' ? 'box' : '',
      ...children.map(({ type }) => type),
    ])
    return { others: more.map(({ type }) => type), inner: inner.map((types) => types.join(' ')) }
  }
  const asWords = { others: [], inner: [' paragraph', ' paragraph', ' paragraph'] }

  test.each([
    ...['-', '--', '---', '* *', '___', '- --', '+', '# a', '#', '####### a', '> a', '>a', '1. a'],
    ...['12)', '[ ] a', '[x] a', '[a]: /url', '[^1]: a', '[a\\]b]: c', '```', '~~~js', '=', '***a'],
    ...[
      'a\n\n# b',
      '<!-- a',
      '| a |',
      '![a](b)',
      '    code',
      '\\',
      '[a] b',
      '**a** b',
      '1.5',
      '-1',
    ],
  ])('%j stays words in a list', (text) => {
    expect(shapeIn(text)).toEqual(asWords)
    expect(visible(neutraliseLine(text))).toBe(
      text.replace(/\s+/g, ' ').trim().replaceAll('\\', ''),
    )
  })

  test.each(['=', '===', '-', '---'])('%j makes no heading of the line above', (text) => {
    const nodes = fromMarkdown(`words\n${neutraliseLine(text)}`).children
    expect(nodes.map(({ type }) => type)).toEqual(['paragraph'])
  })

  it('is words in a list, whatever it says', () => {
    const scrap = fc.constantFrom(
      ...['-', '*', '_', '+', '#', '>', '=', '[', ']', ':', '^', 'x', '1', '.', ')', ' ', '\t'],
      ...['\n', '\\', '`', '~', '|', '<', '!', '(', 'a', '&', '\u00a0', '\u200b'],
    )
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 10 }), (scraps) => {
        const text = scraps.join('')
        fc.pre(text.trim() !== '')
        expect(shapeIn(text)).toEqual(asWords)
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('fenced', () => {
  it('holds any text as the one code block of a document', () => {
    const scrap = fc.constantFrom('`', '```', '````', '~~~', '\n', 'a', ' ', '<!--')
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 20 }), (scraps) => {
        const text = scraps.join('')
        const { children } = fromMarkdown(`${fenced(text, 'js')}\n\nafter`)
        expect(children.map(({ type }) => type)).toEqual(['code', 'paragraph'])
        expect(children[0]).toMatchObject({ lang: 'js', value: text.replace(/\n$/, '') })
      }),
    )
  })

  it('takes only a word for the language', () => {
    expect(fenced('a', 'c++')).toBe('```c++\na\n```')
    expect(fenced('a', 'js\n```\n@team')).toBe('```jsteam\na\n```')
  })
})

describe('inertLog', () => {
  test.each([
    ['::error::x', ': :error::x'],
    ['ok\n  ::add-mask::secret', 'ok\n  : :add-mask::secret'],
    ['ok\r\n::set-output name=a::b', 'ok\r\n: :set-output name=a::b'],
    ['ok\r::stop-commands::x', 'ok\r: :stop-commands::x'],
    ['a ##[error]x', 'a # #[error]x'],
    ['std::vector a::b', 'std::vector a::b'],
  ])('%j', (text, inert) => {
    expect(inertLog(text)).toBe(inert)
  })
})
