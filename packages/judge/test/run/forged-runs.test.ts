import { describe, expect, it } from 'vitest'
import { parseText } from '../../results/read-run.ts'
import { show, verifyProject } from '../toolchains/toolchain.ts'

const project = { folder: '/project', directory: '.', sources: [] }

describe('a run that is ended from inside', () => {
  const test = [
    'import unittest',
    'import a',
    'class A(unittest.TestCase):',
    '    def test_a(self):',
    '        self.assertEqual(a.one(), 1)',
  ].join('\n')

  it.each([
    ['says nothing', 'import os; os._exit(0)'],
    [
      'prints a report of its own',
      'import os, sys; sys.stderr.write("Ran 1 test in 0.1s\\n\\nOK\\n"); sys.stderr.flush(); os._exit(0)',
    ],
  ])('has run nothing: unittest, %s', async (_, line) => {
    const good = await verifyProject({ 'a.py': 'def one(): return 1\n', 'test_a.py': test })
    expect(show(good)).toEqual(['python3 -m unittest discover: ended well, 1 + 0 + 0'])
    const forged = await verifyProject({ 'a.py': `${line}\n`, 'test_a.py': test })
    expect(show(forged)).toEqual(['python3 -m unittest discover: ended well, 0 + 0 + 0'])
  })
})

describe('make', () => {
  it.each([
    "make: 'test' is up to date.",
    "make: Nothing to be done for 'test'.",
    "make[1]: Entering directory '/project/a'\nmake[1]: Nothing to be done for 'test'.\nmake[1]: Leaving directory '/project/a'",
  ])('has run nothing: %j', (text) => {
    expect(parseText(text, project).counts).toEqual({ passed: 0, failed: 0, skipped: 0 })
  })

  it('makes all parts, also behind one that fails', async () => {
    const rules =
      'test: a b\n\na:\n\tfalse\n\nb:\n\techo 3 examples, 0 failures\n.PHONY: a b test\n'
    const reports = await verifyProject({ Makefile: rules })
    expect(show(reports)).toEqual(['make test: ended badly, 3 + 0 + 0'])
  })

  it('has run something beside what was up to date', () => {
    const text = "make[1]: 'lib' is up to date.\nall is well\n"
    expect(parseText(text, project).counts).toBeNull()
  })
})
