import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, it } from 'vitest'
import { boundMarkdown, boundText } from '../../markdown/write-markdown.ts'

const line = 'some words of a line\n'

describe('boundText', () => {
  it('leaves a text that fits, and cuts another at a line end, saying so', () => {
    expect(boundText('a\nb', 3)).toBe('a\nb')
    const cut = boundText(line.repeat(100), 1_000)
    expect(cut.length).toBeLessThanOrEqual(1_000)
    expect(cut).toMatch(/^(?:some words of a line\n){10,}\[cut here: [\d,]+ more characters\]$/)
  })

  it('keeps to its limit whatever the text, and cuts no character in two', () => {
    const text = fc.string({ unit: 'binary', maxLength: 3_000 })
    fc.assert(
      fc.property(text, fc.integer({ min: 500, max: 2_000 }), (any, limit) => {
        expect(boundText(any, limit).length).toBeLessThanOrEqual(limit)
        expect(boundMarkdown(any, limit).length).toBeLessThanOrEqual(limit)
        expect(boundText(any, limit).isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('boundMarkdown', () => {
  const marker = '<!-- executor:task T-1 -->'

  it('closes what it cuts open, and keeps the marker', () => {
    const inside = `<details><summary>S</summary>\n\n\`\`\`\`\n${line.repeat(400)}\`\`\`\`\n\n</details>\n\n${marker}\n`
    const cut = boundMarkdown(inside, 3_000)
    expect(cut.length).toBeLessThanOrEqual(3_000)
    expect(cut).toMatch(
      /\n````\n\n<\/details>\n\n\*\[cut here: [\d,]+ more characters\]\*\n\n<!-- executor:task T-1 -->\n$/,
    )
    const kinds = fromMarkdown(cut).children.map(({ type }) => type)
    expect(kinds).toEqual(['html', 'code', 'html', 'paragraph', 'html'])
  })

  it('does not take a fence in a fence for its end', () => {
    const text = `\`\`\`\`md\n\`\`\`\n<details>\n${line.repeat(400)}`
    expect(boundMarkdown(text, 2_000)).toMatch(/\n````\n\n\*\[cut here/)
    expect(boundMarkdown(text, 2_000)).not.toContain('</details>')
  })

  it('cuts one endless line', () => {
    const cut = boundMarkdown(`${'x'.repeat(100_000)}\n${marker}\n`, 65_536)
    expect(cut.length).toBeLessThanOrEqual(65_536)
    expect(cut).toContain(marker)
  })
})
