import { describe, expect, it } from 'vitest'
import { playChange, type Texts } from '../proof/play-change.ts'

const script = {
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
  'lib/sum.js': 'export const add = (a, b) => a - b\n',
  'test/add.test.js': [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { add } from '../lib/sum.js'",
    "test('adds', () => assert.equal(add(1, 2), 3))",
    "test('adds nothing', () => assert.equal(add(1, 0), 1))\n",
  ].join('\n'),
}
const mul = {
  'lib/sum.js': `${script['lib/sum.js']}export const mul = (a, b) => a * b\n`,
  'test/mul.test.js': script['test/add.test.js']
    .replaceAll('add(1, 2), 3', 'mul(3, 2), 6')
    .replaceAll('add(1, 0)', 'mul(1, 1)')
    .replaceAll('adds', 'multiplies')
    .replaceAll('{ add }', '{ mul }'),
}
const python = {
  'sums.py': 'def add(a, b):\n    return a - b\n',
  'test_sums.py':
    'from sums import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n\n\ndef test_nothing():\n    assert add(1, 0) == 1\n',
}
const mulInPython = {
  'sums.py': `${python['sums.py']}\n\ndef mul(a, b):\n    return a * b\n`,
  'test_mul.py': 'from sums import mul\n\n\ndef test_mul():\n    assert mul(2, 3) == 6\n',
}

describe('a suite that is red before the change', () => {
  it.each<[name: string, before: Texts, after: Texts, title: string]>([
    ['in JavaScript', script, mul, 'Write `mul` in lib/sum.js'],
    ['in Python', python, mulInPython, 'Write `mul` in sums.py'],
  ])('passes beside a red test of another function, %s', async (_, before, after, title) => {
    const { outcome, receipt } = await playChange(before, after, title)
    expect({ outcome, evidence: receipt.evidence }).toEqual({
      outcome: 'passed',
      evidence: 'proven',
    })
    expect(receipt.notes).toContain('1 test was red before this change and still is.')
  })

  it.each<[name: string, after: Texts, title: string]>([
    ['names its function', mul, 'Repair `add`, and write `mul`'],
    ['names no function', mul, 'Make lib/sum.js right'],
    [
      'is about it, and the change edits it',
      { 'lib/sum.js': 'export const add = (a, b) => 1 - b - 2 + a + 0 * b\n' },
      'Repair `add`',
    ],
  ])('fails where the task %s', async (_, after, title) => {
    const { outcome, broken } = await playChange(script, after, title)
    expect(outcome).toBe('failed')
    expect(broken.join('\n')).toContain('adds')
  })
})
