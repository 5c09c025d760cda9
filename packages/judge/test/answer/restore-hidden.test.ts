import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { showText } from '../../../text/hidden/hidden-text.ts'
import { readDraft } from '../../answer/read-draft.ts'
import { restoreHidden } from '../../answer/restore-hidden.ts'

const key = 'ghp_k3J9sQ2mX7vB4nL8pR1tW6yZ0cF5hD2aGe9U'
const real = [
  '# Title <!-- first -->',
  '<!--',
  'second',
  '-->',
  'one\u200B word',
  'two',
  `three ${key}`,
  '',
].join('\n')

const collapsed = [
  '<details>\n  <summary>Principles</summary>\n\n- one\n- two\n- three\n- four\n- five\n- six\n- seven\n\n</details>\n\n',
  '<details>\n  <summary>Kinds</summary>\n\nLabels:\n\n- a\n- b\n- c\n- d\n- e\n- f\n\n</details>\n\n',
].join('')

const edit = (answer: string, path = 'a.md', text = real) =>
  readDraft(answer, {
    base: [],
    expectedPath: undefined,
    read: async () => new Map([[path, text]]),
  })
const block = (search: string, replace: string) =>
  `a.md\n\`\`\`\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\`\n`

describe('an edit of a file with hidden text', () => {
  test.each([
    ['beside it', block('two', 'TWO'), real.replace('two', 'TWO')],
    [
      'over a line shown without it',
      block('one word\ntwo', 'one word\nTWO'),
      real.replace('two', 'TWO'),
    ],
    ['of that line', block('one word', 'some words'), real.replace('one\u200B word', 'some words')],
    ['beside a key', block('two\nthree ***', 'TWO\nthree ***'), real.replace('two', 'TWO')],
  ])('%s is made, and the rest is as it was', async (_, answer, content) => {
    const draft = await edit(answer)
    expect(draft.refusals).toEqual([])
    expect(draft.changes).toEqual([{ action: 'modify', path: 'a.md', before: real, content }])
  })

  it('above a comment does not become a part of it', async () => {
    const draft = await edit(block('# Title ', '# Title\n\nNew'))
    const [change] = draft.changes
    const content = change?.action === 'modify' ? change.content : ''
    expect(content).toContain('<!--\nsecond\n-->')
    expect(showText('a.md', content).text).toMatch(/^# Title\s+New\s+one word\ntwo\n/)
  })

  it('as a whole file puts the unseen lines back', async () => {
    const shown = showText('a.md', real).text
    const draft = await edit(`a.md\n\`\`\`\`\n${shown.replace('two', 'TWO')}\`\`\`\`\n`)
    expect(draft.changes).toMatchObject([{ content: real.replace('two', 'TWO') }])
  })

  it.each([
    ['a link definition', '[1.0.1]: https://x.test/1.0.1', '[1.0.2]: https://x.test/1.0.2'],
    ['a comment', '<!-- toc -->', '<!-- table of contents -->'],
    ['the line of a tag and its comment', '<br> end <!-- toc end -->', '<br> end'],
  ])('fits the file itself, hidden or not: %s', async (_, search, replace) => {
    const text = [
      '# Changes',
      '<!-- toc -->',
      '<br> end <!-- toc end -->',
      '[1.0.1]: https://x.test/1.0.1',
      '',
    ].join('\n')
    const content = text.replace(search, replace)
    const edited = await edit(block(search, replace), 'a.md', text)
    expect(edited).toMatchObject({ refusals: [], changes: [{ content }] })
    const hunk = `a.md\n\`\`\`diff\n@@\n-${search}\n+${replace}\n\`\`\`\n`
    const patched = await edit(hunk, 'a.md', text)
    expect(patched).toMatchObject({ refusals: [], changes: [{ content }] })
  })

  it('tells in its refusal of nothing that is hidden', async () => {
    const draft = await edit(block('two words', 'x'))
    expect(JSON.stringify(draft)).not.toMatch(/second|ghp_/)
    expect(draft.refusals).toMatchObject([{ reason: /not in the file/ }])
  })

  it.each([
    ['an edit', block('a', 'A')],
    ['a diff', 'a.md\n```diff\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n```\n'],
  ])('keeps a byte order mark before a first line that is changed: %s', async (_, answer) => {
    const draft = await edit(answer.replace('a.md', 'a.cs'), 'a.cs', '\uFEFFa\nb\n')
    expect(draft.changes).toMatchObject([{ content: '\uFEFFA\nb\n' }])
  })

  it('keeps a byte order mark', async () => {
    const answer = block('b', 'B').replace('a.md', 'a.cs')
    const draft = await edit(answer, 'a.cs', '\uFEFFa\nb\n')
    expect(draft.changes).toMatchObject([{ content: '\uFEFFa\nB\n' }])
  })
})

describe('restoreHidden', () => {
  const line = fc.constantFrom('a', 'b', '', 'x \u200By', 'c <!-- d -->', '<!-- e -->', 'f')
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'))

  it('returns the file unchanged when nothing was edited', () => {
    fc.assert(
      fc.property(text, (file) => {
        const shown = showText('a.md', file).text
        expect(restoreHidden(file, shown, shown)).toBe(file)
      }),
    )
  })

  it('keeps what was added, whatever the file', () => {
    fc.assert(
      fc.property(text, fc.nat(12), (file, at) => {
        const shown = showText('a.md', file).text.split('\n')
        const place = Math.min(at, shown.length)
        const edited = shown.toSpliced(place, 0, 'ADDED').join('\n')
        const lines = file.split('\n')
        const restored = restoreHidden(file, shown.join('\n'), edited).split('\n')
        expect(restored.filter((each) => each === 'ADDED')).toHaveLength(1)
        expect(restored.filter((each) => each !== 'ADDED')).toEqual(lines)
      }),
    )
  })

  it.each([
    [
      'definitions of links',
      '# Log\n\n## 1\n\n- a\n\n[1]: https://a.test/1\n[0]: https://a.test/0\n',
      '# Log\n\n## 2\n\n- b\n\n## 1\n\n- a\n\n[2]: https://a.test/2\n[1]: https://a.test/1\n[0]: https://a.test/0\n',
    ],
    [
      'a comment of several lines',
      '# Log\n\n<!--\nhow to\n-->\n\n- a\n',
      '# Log\n\n<!--\nhow to\n-->\n\n- b\n- a\n',
    ],
    [
      'a collapsed part with empty lines in it',
      `# Log\n\n${collapsed}## 1\n\n- a\n`,
      `# Log\n\n${collapsed}## 2\n\n- b\n\n## 1\n\n- a\n`,
    ],
  ])('puts nothing back that the answer holds itself: %s', (_, file, edited) => {
    const shown = showText('a.md', file).text
    expect(shown).not.toBe(file)
    expect(restoreHidden(file, shown, edited)).toBe(edited)
  })

  it('puts back a comment of which the answer has only an end', () => {
    const file = '# Log\n\n<!--\nhow to\n-->\n\n- a\n'
    const edited = '# Log\n\n\n\n\n\n- a\n\n<!--\nmine\n-->\n'
    expect(restoreHidden(file, showText('a.md', file).text, edited)).toBe(
      `${file}\n<!--\nmine\n-->\n`,
    )
  })

  it('finds equal lines again where everything else was rewritten', () => {
    const file = Array.from({ length: 6_000 }, (_, index) => `l${index} \u200Bx`)
    const shown = file.map((each) => each.replace('\u200B', ''))
    const edited = shown.map((each, index) => (index % 2 === 0 ? each : `new ${index}`))
    const restored = restoreHidden(file.join('\n'), shown.join('\n'), edited.join('\n')).split('\n')
    expect(restored[4_000]).toBe(file[4_000])
    expect(restored[4_001]).toBe('new 4001')
  })
})
