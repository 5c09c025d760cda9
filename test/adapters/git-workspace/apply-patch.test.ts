import { describe, expect, it } from 'vitest'
import { applyPatch } from '../../../src/adapters/git-workspace/apply-patch.ts'
import { findRepository } from '../../../src/adapters/user-checkout.ts'
import { headOf, makeGitRepository } from '../git-repository.ts'

const files = { 'src/add.js': 'one\ntwo\nthree\n', 'README.md': '# Add\n', 'open.txt': 'a\nb' }

const modify = [
  'diff --git a/src/add.js b/src/add.js',
  '--- a/src/add.js',
  '+++ b/src/add.js',
  '@@ -1,3 +1,3 @@',
  ' one',
  '-two',
  '+TWO',
  ' three',
  '',
].join('\n')

const created = (path: string, mode: string, text: string): string =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${text}\n`

/** Applies a patch to the files above: the paths of the difference with their modes and texts, or why not. */
async function apply(patch: string | Buffer) {
  using repository = makeGitRepository(files)
  const base = headOf(repository.path)
  const source = await findRepository(repository.path)
  const before = repository.git('status', '--porcelain', '--branch')
  const applied = await applyPatch(repository.home, source, base, Buffer.from(patch))
  expect(repository.git('status', '--porcelain', '--branch')).toBe(before)
  if (applied.status !== 'applied') return applied
  const own = (...args: readonly string[]) =>
    repository.git(`--git-dir=${repository.home}/repo.git`, ...args)
  const raw = own('diff-tree', '-r', '--no-renames', base, applied.sha).split('\n')
  const texts = raw.flatMap((line) => {
    const [, mode, blob = '', letter, path = ''] =
      /^:\d+ (\d+) \w+ (\w+) (\w)\t(.*)$/.exec(line) ?? []
    return path === ''
      ? []
      : [[path, letter === 'D' ? null : `${mode} ${own('cat-file', 'blob', blob)}`]]
  })
  return { note: applied.note, texts: Object.fromEntries(texts) }
}

describe('applyPatch', () => {
  it.each<[string, string | Buffer, Record<string, string | null>, string | null]>([
    ['git', modify, { 'src/add.js': '100644 one\nTWO\nthree' }, null],
    [
      'a mail with a signature',
      `From 1 Mon Sep 17\nSubject: [PATCH] Two\n\n---\n${modify}-- \n2.39\n`,
      { 'src/add.js': '100644 one\nTWO\nthree' },
      null,
    ],
    [
      'two commits that change the same line',
      `${modify}${modify.replace('-two', '-TWO').replace('+TWO', '+2')}`,
      { 'src/add.js': '100644 one\n2\nthree' },
      null,
    ],
    [
      'CRLF line endings',
      modify.replaceAll('\n', '\r\n'),
      { 'src/add.js': '100644 one\nTWO\nthree' },
      'The patch has CRLF line endings; it was read with LF.',
    ],
    [
      'colours',
      modify
        .replaceAll(/^(diff|index|---|\+\+\+)(.*)$/gm, '\x1b[1m$1$2\x1b[m')
        .replaceAll(/^(@@.*@@)$/gm, '\x1b[36m$1\x1b[m')
        .replaceAll(/^-(\w+)$/gm, '\x1b[31m-$1\x1b[m')
        .replaceAll(/^\+(\w+)$/gm, '\x1b[32m+\x1b[m\x1b[32m$1\x1b[m'),
      { 'src/add.js': '100644 one\nTWO\nthree' },
      'The patch has colours; they were left out.',
    ],
    [
      'no prefixes, as diff -u writes it',
      modify.replace(/^diff.*\n/, '').replaceAll(/(---|\+\+\+) [ab]\//g, '$1 '),
      { 'src/add.js': '100644 one\nTWO\nthree' },
      'The paths of the patch have no prefix (a/, b/).',
    ],
    [
      'a new file without prefixes',
      'diff --git src/sub.js src/sub.js\nnew file mode 100644\n--- /dev/null\n+++ src/sub.js\n@@ -0,0 +1 @@\n+x\n',
      { 'src/sub.js': '100644 x' },
      'The paths of the patch have no prefix (a/, b/).',
    ],
    [
      'two folders, as diff -r compares them',
      modify
        .replace(/^diff.*\n/, '')
        .replace('a/', 'old/')
        .replace('b/', 'new/'),
      { 'src/add.js': '100644 one\nTWO\nthree' },
      null,
    ],
    [
      'a rename with a change of mode',
      'diff --git a/README.md b/READ.md\nold mode 100644\nnew mode 100755\nsimilarity index 100%\nrename from README.md\nrename to READ.md\n',
      { 'README.md': null, 'READ.md': '100755 # Add' },
      null,
    ],
    [
      'a last line without its line break',
      '--- a/open.txt\n+++ b/open.txt\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n',
      { 'open.txt': '100644 a\nc' },
      null,
    ],
    [
      'bytes that are not UTF-8',
      Buffer.from(created('latin.txt', '100644', 'caf\xe9'), 'latin1'),
      { 'latin.txt': '100644 caf\uFFFD' },
      null,
    ],
    [
      'a link, which becomes one in the commit alone',
      `${created('link', '120000', '/etc/passwd')}\\ No newline at end of file\n`,
      { link: '120000 /etc/passwd' },
      null,
    ],
  ])('applies %s', async (_, patch, texts, note) => {
    expect(await apply(patch)).toEqual({ texts, note })
  })

  it.each<[string, string, string, number, string]>([
    [
      'for another base',
      modify.replace('-two', '-zwei'),
      'src/add.js',
      1,
      'the lines here are not those of the base',
    ],
    [
      'of a missing file',
      modify.replaceAll('add.js', 'sub.js'),
      'src/sub.js',
      0,
      'is not a file of the base',
    ],
    [
      'that creates a file again',
      created('README.md', '100644', 'x'),
      'README.md',
      0,
      'is a file of the base already',
    ],
    [
      'that leads outside',
      created('../up.js', '100644', 'x'),
      '../up.js',
      0,
      'is not a path inside the repository',
    ],
    [
      'into .git',
      created('.git/config', '100644', 'x'),
      '.git/config',
      0,
      'is not a path inside the repository',
    ],
    [
      'into .GIT',
      created('.GIT/config', '100644', 'x'),
      '.GIT/config',
      0,
      'is not a path inside the repository',
    ],
    [
      'through its own link',
      `${created('l', '120000', '/etc')}\\ No newline at end of file\n${created('l/passwd', '100644', 'x')}`,
      'l/passwd',
      0,
      'is reached through a link',
    ],
    [
      'of a picture without its content',
      'diff --git a/a.png b/a.png\nnew file mode 100644\nindex 0000000..e69de29\nBinary files /dev/null and b/a.png differ\n',
      'a.png',
      0,
      'has no content here: make the patch with git diff --binary',
    ],
  ])('refuses a patch %s, and says where', async (_, patch, path, line, message) => {
    expect(await apply(patch)).toEqual({ status: 'refused', reasons: [{ path, line, message }] })
  })

  it('names each part that does not apply, and applies none', async () => {
    const other = modify.replaceAll('src/add.js', 'README.md')
    expect(await apply(`${modify.replace('-two', '-zwei')}${other}`)).toMatchObject({
      reasons: [
        { path: 'src/add.js', line: 1 },
        { path: 'README.md', line: 1 },
      ],
    })
  })

  it.each([
    ['an empty text', '', 'it has no diff'],
    ['prose', 'Please change two to TWO.\n', 'it has no diff'],
    [
      'half a patch',
      modify.split('\n').slice(0, 6).join('\n'),
      'its line 6 does not belong to a hunk',
    ],
    ['a hunk without a file', '@@ -1 +1 @@\n-a\n+b\n', 'line 1 names no file before it'],
  ])('cannot read %s', async (_, patch, reason) => {
    expect(await apply(patch)).toEqual({ status: 'unreadable', reason })
  })
})
