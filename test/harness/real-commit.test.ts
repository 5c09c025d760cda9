import { describe, expect, it } from 'vitest'
import { isOddMode, passOverFiles, passOverTexts } from '../../harness/replay/real-commit.ts'

const file = (path: string, modeBefore = '100644', modeAfter = modeBefore) => ({
  ...{ path, modeBefore, modeAfter },
})

describe('which commits are passed over by their files', () => {
  it.each([
    ['source and tests', [file('lib/a.js'), file('test/a.test.js')], null],
    [
      'a new file and one that goes',
      [file('a.py', '000000', '100644'), file('b.py', '100755', '000000')],
      null,
    ],
    ['twenty files', Array.from({ length: 20 }, (_, at) => file(`src/${at}.go`)), null],
    ['more', Array.from({ length: 21 }, (_, at) => file(`src/${at}.go`)), 'more than 20 files'],
    ['a workflow', [file('a.js'), file('.github/workflows/ci.yml')], 'a protected file'],
    ['a lock file', [file('a.js'), file('package-lock.json')], 'a protected file'],
    ['the roadmap', [file('a.js'), file('ROADMAP.md')], 'a protected file'],
    ['documents', [file('README.md'), file('docs/tests.md')], 'no source'],
    ['a link', [file('a.js'), file('b.js', '120000')], 'a link, a submodule or a mode'],
    ['a program', [file('a.js'), file('b.sh', '000000', '100755')], null],
    ['another mode', [file('a.js', '100644', '100755')], 'a link, a submodule or a mode'],
    [
      'a submodule that goes',
      [file('a.js'), file('b', '160000', '000000')],
      'a link, a submodule or a mode',
    ],
  ])('%s', (_, files, reason) => {
    expect(passOverFiles(files)).toBe(reason)
  })
})

it('a new file of another mode than its text says is passed over', () => {
  const program = { modeBefore: '000000', modeAfter: '100755' }
  expect(isOddMode(program, '#!/bin/sh\n')).toBe(false)
  expect(isOddMode(program, 'x\n')).toBe(true)
  expect(isOddMode({ ...program, modeAfter: '100644' }, '#!/bin/sh\n')).toBe(true)
  expect(isOddMode({ ...program, modeBefore: '100755' }, 'x\n')).toBe(false)
})

describe('which commits are passed over by their texts', () => {
  const change = (path: string, after = 'x\n') => ({ path, before: null, after })
  it.each([
    ['source and tests', [change('lib/a.js'), change('test/a.js')], null],
    ['tests beside the code', [change('src/a.rs', '#[test]\nfn a() {}\n')], null],
    ['source alone', [change('src/a.rs'), change('README.md')], 'no tests'],
    ['tests alone', [change('test/a.js'), change('README.md')], 'no source'],
    ['bytes', null, 'a file that is no text'],
  ])('%s', (_, files, reason) => {
    expect(passOverTexts(files)).toBe(reason)
  })
})
