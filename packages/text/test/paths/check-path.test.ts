import { resolve, sep } from 'node:path'
import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { runs } from '../../../../test/property-runs.ts'
import { checkPath } from '../../paths/check-path.ts'

test.each([
  ['src/a.js', 'src/a.js'],
  ['./src/a.js', 'src/a.js'],
  ['././a', 'a'],
  ['a//b/./c', 'a/b/c'],
  ['.gitignore', '.gitignore'],
  ['.github/workflows/ci.yml', '.github/workflows/ci.yml'],
  ['docs/My File.md', 'docs/My File.md'],
  ['app/[id]/(tabs)/+page.svelte', 'app/[id]/(tabs)/+page.svelte'],
  ['café/naïve.md', 'café/naïve.md'],
  ['docs/日本語.md', 'docs/日本語.md'],
  ['a..b/...c', 'a..b/...c'],
  ['console.js', 'console.js'],
  ['com10/aux-file.js', 'com10/aux-file.js'],
  ['digit~1.js', 'digit~1.js'],
  ['cafe\u0301.js', 'cafe\u0301.js'],
  [`${'a'.repeat(255)}/b`, `${'a'.repeat(255)}/b`],
])('%j is %j', (path, plain) => {
  expect(checkPath(path)).toEqual({ status: 'ok', path: plain })
})

test.each([
  ['', /empty/],
  ['  ', /empty/],
  ['.', /folder/],
  ['src/', /folder/],
  ['src/.', /folder/],
  ['..', /out of the repository/],
  ['../a', /out of the repository/],
  ['../repo-evil/a', /out of the repository/],
  ['a/../../b', /out of the repository/],
  ['a/..', /out of the repository/],
  ['/etc/passwd', /absolute/],
  ['//server/share/a', /absolute/],
  ['C:/a', /absolute/],
  ['c:a', /absolute/],
  ['..\\a', /backslash/],
  ['\\\\server\\share', /backslash/],
  ['~/.ssh/config', /home/],
  ['--exec=x', /option/],
  ['././/-x', /option/],
  ['a\0b', /control/],
  ['a\nb', /control/],
  ['a\u0085b', /control/],
  ['a\u007Fb', /control/],
  ['a\uD800b', /Unicode/],
  ['a\u200Bb', /invisible characters/],
  ['a\u202Eb', /invisible characters/],
  ['a\u00A0b', /invisible characters/],
  ['\u{E0041}a', /invisible characters/],
  ['.git/config', /\.git/],
  ['a/.git/hooks/x', /\.git/],
  ['.GIT/config', /\.git/],
  ['.Git', /\.git/],
  ['.git /config', /\.git/],
  ['.git./config', /\.git/],
  ['.git. ./config', /\.git/],
  ['GIT~1/config', /\.git/],
  ['git~2', /\.git/],
  ['gi7eba~1/config', /\.git/],
  ['.git::$INDEX_ALLOCATION/config', /\.git/],
  ['.g\u200Cit/config', /invisible characters/],
  ['.gıt/config', /\.git/],
  ['.gİt/config', /\.git/],
  ['.ｇｉｔ/config', /\.git/],
  ['nul', /Windows/],
  ['a/CON.txt', /Windows/],
  ['Aux.js', /Windows/],
  ['com1', /Windows/],
  ['LPT9.log', /Windows/],
  ['com²', /Windows/],
  ['a./b', /dot/],
  ['a /b', /space/],
  [' a', /space/],
  ['ab:c', /one of/],
  ['a*b', /one of/],
  ['a?', /one of/],
  [`${'a'.repeat(256)}/b`, /name in the path is too long/],
  [`${'é'.repeat(128)}/b`, /name in the path is too long/],
  [`${'abcd/'.repeat(205)}a`, /path is too long/],
  ['a/'.repeat(1_000_000), /too long/],
])('%j is refused', (path, reason) => {
  expect(checkPath(path)).toMatchObject({
    status: 'refused',
    reason: expect.stringMatching(reason),
  })
})

it('lets no path out of the repository, and none into .git', () => {
  const name = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      '.git',
      '.GIT',
      'a',
      '~',
      'C:',
      '\\',
      '\0',
      '...',
      '.. ',
      '%2e%2e',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  const path = fc
    .tuple(fc.array(name, { minLength: 1, maxLength: 6 }), fc.constantFrom('/', '\\', '//'))
    .map(([names, separator]) => names.join(separator))
  fc.assert(
    fc.property(path, (text) => {
      const checked = checkPath(text)
      if (checked.status === 'refused') return
      const root = resolve('/repo')
      const target = resolve(root, checked.path)
      expect(target.startsWith(root + sep)).toBe(true)
      expect(target.toLowerCase().split(sep)).not.toContain('.git')
      expect(checkPath(checked.path)).toEqual(checked)
    }),
    { numRuns: runs(2_000) },
  )
})
