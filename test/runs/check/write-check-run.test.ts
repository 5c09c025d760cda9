import { describe, expect, it } from 'vitest'
import { type CheckFinding, findingOn } from '../../../src/runs/check/check-rules.ts'
import { writeCheckRun } from '../../../src/runs/check/write-check-run.ts'

const base = { name: 'main', sha: '42babe08c7'.repeat(4) }
const head = 'a'.repeat(40)
const about = { version: 1, change: '#7', base, receipt: null } as const

const write = (result: 'passed' | 'failed' | 'unverified', findings: readonly CheckFinding[]) =>
  writeCheckRun(7, head, { ...about, result, findings })

describe('a check run', () => {
  it.each([
    ['passed', [], 'success', 'Passed'],
    ['passed', [findingOn('a', 'mode', 'x')], 'success', 'Passed: 1 warning'],
    [
      'failed',
      [findingOn('a', 'syntax', 'x'), findingOn('b', 'import', 'y'), findingOn('c', 'mode', 'z')],
      ...(['failure', 'Not passed: 2 errors, 1 warning'] as const),
    ],
    ['unverified', [findingOn('', 'not-run', 'x')], 'neutral', 'Not verified: 1 error'],
  ] as const)('of a change that is %s with %j is a %s: %s', (result, findings, ...said) => {
    const { conclusion, title, summary, name, externalId, sha } = write(result, findings)
    expect([conclusion, title]).toEqual(said)
    expect(summary.split('\n')[0]).toBe(`## ${title}`)
    expect({ name, externalId, sha }).toEqual({
      ...{ name: 'executor check', externalId: 'pull-7', sha: head },
    })
  })

  it('annotates files, at line 1 where there is none, and at most 200', () => {
    const many = Array.from({ length: 250 }, (_, at) => findingOn(`f${at}`, 'syntax', 'x'))
    expect(write('failed', many).annotations).toHaveLength(200)
    const found = [
      { ...findingOn('a.js', 'syntax', 'one'), line: 3, column: 2 },
      findingOn('b.js', 'mode', 'two'),
      findingOn('', 'size', 'three'),
    ]
    expect(write('failed', found).annotations).toEqual([
      { path: 'a.js', line: 3, level: 'failure', title: 'syntax', message: 'one' },
      { path: 'b.js', line: 1, level: 'warning', title: 'mode', message: 'two' },
    ])
  })

  it('counts the findings that its table leaves out', () => {
    const many = Array.from({ length: 101 }, (_, at) => findingOn(`f${at}`, 'syntax', 'x'))
    const { summary } = write('failed', many)
    expect(summary).toContain('| `f99` |')
    expect(summary).not.toContain('`f100`')
    expect(summary).toContain('and 1 more: `executor check` shows them.')
  })

  it('takes nothing from a name or a message as Markdown', () => {
    const path = 'a`|b<img src=x>.js'
    const message = '@team | Fixes #1 <!-- x --> `code`'
    const { summary } = write('failed', [findingOn(path, 'syntax', message)])
    expect(summary).toContain('| `a b<img src=x>.js` | error | syntax |')
    expect(summary).not.toMatch(/@team|Fixes #1|<!--/)
    expect(summary.split('\n').filter((line) => line.includes('team'))).toHaveLength(1)
  })
})
