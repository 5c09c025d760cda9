import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readRoadmap } from '../../document/read-roadmap.ts'
import { lintRules } from '../../lint/rules.ts'
import { documents } from '../document/roadmap-documents.ts'
import { lintText, rulesIn } from './lint-text.ts'

describe('lintRoadmap', () => {
  it('says everything that reading found, once, and has a place for every finding', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const findings = lintText(text)
        const { problems } = readRoadmap(text)
        const lines = text.split(/\r\n|\n|\r/)
        for (const { line, column, fix, message } of findings) {
          expect(line).toBeGreaterThanOrEqual(1)
          expect(line).toBeLessThanOrEqual(lines.length)
          expect(column).toBeGreaterThanOrEqual(1)
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1)
          expect(fix.length * message.length).toBeGreaterThan(0)
        }
        const known = new Set<string>(problems.map(({ rule }) => rule))
        const passedOn = findings.filter(({ rule }) => known.has(rule))
        expect(passedOn).toHaveLength(problems.length)
      }),
      { numRuns: 150 },
    )
  })

  it('is in the order of the document', () => {
    const lines = lintText('- [ ] Fix it\n- [ ] Fix `z.ts`\n- [ ] T-1: A\n- [ ] T-1: B').map(
      ({ line }) => line,
    )
    expect(lines).toEqual(lines.toSorted((a, b) => a - b))
  })

  it('judges no path outside a repository', () => {
    expect(rulesIn('- [ ] Fix `src/nowhere.ts`', null)).toEqual([])
  })

  test.each([
    ['CRLF', '\uFEFF# R\r\n\r\n- [ ] T-1: Fix `src/prase.ts`\r\n', { line: 3, column: 17 }],
    ['a tab', '-\t[ ] T-1: Fix `src/prase.ts`', { line: 1, column: 17 }],
  ])('has the place in a document with %s', (_, text, place) => {
    expect(lintText(text)).toMatchObject([{ rule: 'missing-file', ...place }])
  })

  test.each([
    ['commas', `- [ ] ${',and'.repeat(50_000)}`],
    ['back-ticks', `- [ ] ${'`'.repeat(25_000)} a ${'``'.repeat(12_000)}`],
    ['comments', `- [ ] ${'<!--'.repeat(10_000)}`],
    ['fences', `- [ ] a\n${'  ```\n'.repeat(12_000)}`],
    ['labels', `- [ ] a\n${'  - **Files**: **Files**: **Files**:\n'.repeat(5000)}`],
    ['one word', `- [ ] ${'a'.repeat(250_000)}`],
    ['letters nobody sees', `- [ ] ${'\u200B'.repeat(50_000)}`],
    ['zeros', '\0'.repeat(25_000)],
  ])('takes hostile %s', (_, text) => {
    expect(lintText(text).every(({ rule }) => lintRules.some(({ id }) => id === rule))).toBe(true)
  })

  it('takes thousands of tasks that claim one file, one after the other or not', () => {
    const task = (n: number, more: string) =>
      `- [ ] T-${n}: Add part ${n}\n  - Files: \`src/app.ts\`, \`src/p${n % 50}.ts\`\n${more}`
    const chain = Array.from({ length: 1000 }, (_, n) =>
      task(n, n === 0 ? '' : `  - Depends on: T-${n - 1}\n`),
    )
    expect(rulesIn(chain.join(''))).toEqual([])
    const loose = Array.from({ length: 1000 }, (_, n) => task(n, ''))
    expect(lintText(loose.join('')).map(({ severity }) => severity)).toEqual(
      Array.from({ length: 51 }, (_, n) => (n === 0 ? 'warning' : expect.any(String))),
    )
  })
})
