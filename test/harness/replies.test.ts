import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { FileChange } from '../../harness/answer.ts'
import { rightOnes, wrongOnes } from '../../harness/replies/all-wrappings.ts'
import { isMissed, type ReplyLine, sumUp } from '../../harness/replies/case-line.ts'
import { playReply } from '../../harness/replies/play-reply.ts'
import { saysAnother } from '../../harness/replies/says-another.ts'
import { commitsOf, inTree } from '../../harness/replies/sources.ts'
import { isMet } from '../../harness/summary.ts'

const root = mkdtempSync(join(tmpdir(), 'executor-replies-'))
const repository = join(root, 'sums')

const functions = (count: number, sign: string) =>
  Array.from(
    { length: count },
    (_, index) => `function sum${index}(a, b) {\n  return a ${sign} b + ${index}\n}\n\n`,
  ).join('')
const source = (sign: string) =>
  `${functions(1, sign)}${functions(30, '+').replaceAll('sum', 'add')}module.exports = { sum0, add11 }\n`
const testOf = (wanted: number) =>
  `const assert = require('node:assert')\nconst { sum0 } = require('../lib/sums.js')\n\nassert.equal(sum0(1, 2), ${wanted})\n`

function commit(message: string, sign: string, wanted: number): void {
  for (const [path, text] of [
    ['lib/sums.js', source(sign)],
    ['test/sums.test.js', testOf(wanted)],
  ] as const) {
    mkdirSync(join(repository, path, '..'), { recursive: true })
    writeFileSync(join(repository, path), text)
  }
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  execFileSync('git', ['add', '--all'], { cwd: repository })
  execFileSync('git', [...who, 'commit', '--quiet', '-m', message], { cwd: repository })
}

beforeAll(() => {
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repository])
  commit('Add sums', '-', -1)
  commit('Add instead of taking away', '+', 3)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const every = (step: number) => [...rightOnes, ...wrongOnes].filter((_, at) => at % step === 0)

it('takes right answers of a real commit as they are meant, and no wrong one', async () => {
  const [commit] = await commitsOf(repository, 1)
  if (commit === undefined) throw new Error('no commit was read')
  expect(commit.changes.map(({ path }) => path)).toEqual(['lib/sums.js', 'test/sums.test.js'])
  const missed = await inTree(commit, root, async (tree) => {
    const found: string[] = []
    for (const form of every(6)) {
      const answer = form.write(commit.changes)
      if (answer === null) continue
      const { outcome, reason } = await playReply(tree, answer, commit.changes)
      const isRight = rightOnes.includes(form)
      if (isMissed({ ...line, isRight, outcome })) found.push(`${form.name}: ${outcome} ${reason}`)
    }
    return found
  })
  expect(missed).toEqual([])
})

describe('the forms', () => {
  const change: FileChange = { path: 'lib/sums.js', before: source('-'), after: source('+') }

  test('each says where it was seen, if that was looked up, and can say a change', () => {
    for (const { name, seen, write } of [...rightOnes, ...wrongOnes]) {
      if (seen !== null) expect(seen, name).toMatch(/^https:\/\/[\w.-]+\/\S+$/)
      if (!/entities|dots|twice|removed/.test(name)) expect(write([change]), name).not.toBeNull()
    }
  })

  test('have names of their own, and a third of them are wrong or partial', () => {
    const names = [...rightOnes, ...wrongOnes].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(wrongOnes.length / names.length).toBeGreaterThan(0.33)
  })
})

describe('an answer without numbers says another change as well', () => {
  const numbers = (...changed: number[]) => {
    const twins = Array.from({ length: 3 }, (_, at) =>
      [
        '',
        '{',
        '  one',
        `  ${changed.includes(at) ? 'TWO' : 'two'}`,
        '  three',
        '  four',
        '}',
        '',
      ].join('\n'),
    )
    return `${twins.join('\n')}\nend\n`
  }
  const [before, appended] = [numbers(), `${numbers()}more\n`]
  test.each([
    ['diff: @@ ... @@', 'one of three twins changes', numbers(1), true],
    ['patch: as a call', 'two of three change', numbers(0, 2), true],
    ['diff: @@ ... @@', 'each changes', numbers(0, 1, 2), false],
    ['diff: @@ ... @@', 'the end changes, which is there once', appended, false],
    ['diff: a/ and b/', 'one changes, and its line is told', numbers(1), false],
    [
      'edits: no fence',
      'one changes, with lines around it until it is there once',
      numbers(1),
      false,
    ],
  ])('%s: %s', (name, _, after, says) => {
    const form = rightOnes.find((one) => one.name === name)
    expect(form && saysAnother(form, [{ path: 'a.txt', before, after }])).toBe(says)
  })
})

const line: ReplyLine = {
  ...{ source: 's', wrapping: 'w', isRight: true, outcome: 'right', reason: '', program: 'p' },
}

test.each([
  ['a wrong tree of a wrong answer', { isRight: false, outcome: 'wrong' }, true],
  ['a wrong tree of a right one', { outcome: 'wrong' }, true],
  ['a refusal of a right one', { outcome: 'refused' }, true],
  ['a refusal of a wrong one', { isRight: false, outcome: 'refused' }, false],
  ['a refusal of one that says another tree', { outcome: 'unclear' }, false],
  ['a wrong one that comes out right', { isRight: false, outcome: 'right' }, false],
] as const)('%s counts: %s', (_, changed, counts) => {
  const lines = [{ ...line, ...changed }]
  expect(isMissed(lines[0] ?? line)).toBe(counts)
  expect(sumUp(lines).every(isMet)).toBe(!counts)
})
