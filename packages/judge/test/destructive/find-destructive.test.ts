import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/property-runs.ts'
import { findDestructive } from '../../destructive/find-destructive.ts'

const shown = async (path: string, text: string, before?: string) =>
  (await findDestructive({ path, text, before })).map(
    ({ line, column, category, operation }) => `${line}:${column} ${category} ${operation}`,
  )

describe('an operation', () => {
  it('is reported with its place, its text and a reason', async () => {
    const text = 'set -e\n  rm -rf \\\n    "$DIR"\n'
    expect(await findDestructive({ path: 'scripts/clean.sh', text })).toEqual([
      {
        path: 'scripts/clean.sh',
        line: 2,
        column: 3,
        category: 'filesystem',
        operation: 'rm -rf "$DIR"',
        why: 'It deletes folders with everything in them.',
        fingerprint: expect.stringMatching(/^[0-9a-f]{24}$/),
      },
    ])
  })

  it('is shortened when it is long', async () => {
    const [found] = await findDestructive({ path: 'a.sh', text: `rm -rf ${'x'.repeat(500)}` })
    expect(found?.operation).toHaveLength(160)
    expect(found?.operation).toMatch(/^rm -rf x+…$/)
  })

  it('shows the call that runs it, not the text inside', async () => {
    const text = "import { execSync } from 'node:child_process'\nexecSync('rm ' + '-rf ' + dir)"
    expect(await shown('a.mjs', text)).toEqual(["2:1 filesystem execSync('rm ' + '-rf ' + dir)"])
  })

  it.each([
    ['a byte order mark', '\uFEFFrm -rf x', '1:2 filesystem rm -rf x'],
    ['Windows lines', 'cd a\r\nrm -rf x\r\n', '2:1 filesystem rm -rf x'],
    ['a tab', '\trm -rf x', '1:2 filesystem rm -rf x'],
  ])('is placed behind %s', async (_, text, expected) => {
    expect(await shown('a.sh', text)).toEqual([expected])
  })

  it('is named by what its variables hold, too', async () => {
    const [inside] = await findDestructive({ path: 'a.sh', text: 'D=build\nrm -rf "$D"' })
    const [outside] = await findDestructive({ path: 'a.sh', text: 'D=/\nrm -rf "$D"' })
    const [moved] = await findDestructive({ path: 'a.sh', text: 'D=build\n\n\nrm  -rf "$D"' })
    const [elsewhere] = await findDestructive({ path: 'b.sh', text: 'D=build\nrm -rf "$D"' })
    expect(inside?.fingerprint).toBe(moved?.fingerprint)
    expect(inside?.fingerprint).not.toBe(outside?.fingerprint)
    expect(inside?.fingerprint).not.toBe(elsewhere?.fingerprint)
  })
})

describe('with the text before', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['nothing is new', 'rm -rf a', 'echo hello\n\nrm -rf a', []],
    ['what moved is not new', 'rm -rf a\nrm -rf b', 'rm -rf b\nrm -rf a', []],
    ['one more of the same is', 'rm -rf a', 'rm -rf a\nrm -rf a', ['2:1 filesystem rm -rf a']],
    ['another one is', 'rm -rf a', 'rm -rf a\nrm -rf b', ['2:1 filesystem rm -rf b']],
    ['a removed operation is none', 'rm -rf a\nrm -rf b', 'rm -rf a', []],
    ['a changed target is new', 'rm -rf a', 'rm -rf /', ['1:1 filesystem rm -rf /']],
    ['a changed variable is', 'D=a\nrm -rf $D', 'D=/\nrm -rf $D', ['2:1 filesystem rm -rf $D']],
    ['what was a comment is', '# rm -rf a', 'rm -rf a', ['1:1 filesystem rm -rf a']],
  ])('%s', async (_, before, text, expected) => {
    expect(await shown('a.sh', text, before)).toEqual(expected)
  })

  it.each([
    ['requirements.txt', 'b @ https://example.org/b.tar.gz # why\n', 'aa785ab1d32c89b4cca4b62f'],
    ['pyproject.toml', 'a = = b\n', '35e4b1406b6f01f1dbd73008'],
    ['a.js', "import fs from 'node:fs'\nfs.unlinkSync(x)\n", '086b405ac9b64dcca75acfb7'],
    ['a.sh', 'echo aGk= | base64 -d | sh', '0f54052b38bd52c9169ae452'],
    ['a.sh', 'git branch -D a', '67a4fe2b8e630707db030aae'],
    ['a.sh', 'chmod -R 777 .', 'ac15c6bea1d3a0d8dd67a1c0'],
    ['package.json', '{"scripts":{"postinstall":"node a.js"}}', '9912c58ac729d20514e757dc'],
  ])(
    'keeps the fingerprint of an earlier version, so approvals stay valid: %s',
    async (path, text, fingerprint) => {
      expect(await findDestructive({ path, text })).toMatchObject([{ fingerprint }])
    },
  )
})

const paths = [
  ...['a.js', 'a.ts', 'a.tsx', 'a.py', 'a.sh', 'a.sql', 'a.rb', 'a.go', 'a.php', 'a.rs', 'a.cs'],
  ...[
    'a.java',
    'a.kt',
    'a.lua',
    'a.pl',
    'a.c',
    'a.vue',
    'a.ps1',
    'a.bat',
    'Dockerfile',
    'Makefile',
  ],
  ...['justfile', 'package.json', '.github/workflows/a.yml', 'compose.yml', 'Procfile', 'notes.md'],
]

const pieces = fc.constantFrom(
  ...['rm -rf ', 'DROP TABLE x', 'exec(', "fs.rmSync('x')", "require('child_process')", '$(', '`'],
  ...[
    '${',
    '<<EOF\n',
    'EOF\n',
    "'",
    '"',
    '\\',
    '\n',
    '\r\n',
    '\t',
    '#',
    '/*',
    '*/',
    '--',
    '(',
    ')',
  ],
  ...['{', '}', '[', ']', ';', '|', '&', '=', 'case x in', 'esac', 'if', 'eval ', 'bash -c ', '$x'],
  ...['\u0000', '\uFFFC', '\uD800', 'é', '<script>', '<?php', 'run: |\n  ', 'RUN ', '- ', ': '],
)

describe('any text', () => {
  it('is read to its end, and contains every operation', async () => {
    const texts = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), texts, async (path, text) => {
        const lines = text.split('\n').length
        for (const { line, column, operation } of await findDestructive({ path, text })) {
          expect(line).toBeGreaterThanOrEqual(1)
          expect(line).toBeLessThanOrEqual(lines)
          expect(column).toBeGreaterThanOrEqual(1)
          expect(operation.length).toBeLessThanOrEqual(160)
        }
      }),
      { numRuns: runs(500) },
    )
  })

  it('brings in nothing when it stays the same', async () => {
    const texts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), texts, async (path, text) => {
        expect(await findDestructive({ path, text, before: text })).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['empty', ''],
    ['binary', '\u0000\u0001rm -rf x'],
    ['huge', 'x = 1\n'.repeat(50_000)],
    ['open parentheses', '('.repeat(20_000)],
    ['open substitutions', 'a $('.repeat(20_000)],
    ['open quotes', '"$(\''.repeat(20_000)],
    ['open here-documents', 'cat <<A\n'.repeat(5_000)],
    ['wrappers', 'sudo find -exec '.repeat(5_000)],
    ['doubling values', `A=x\n${'A=$A$A\n'.repeat(60)}eval $A`],
    ['quoted scripts', "bash -c '".repeat(5_000)],
    ['unfinished statements', 'DELETE FROM t ('.repeat(5_000)],
    ['only new lines', '\n'.repeat(100_000)],
  ])('%s does no harm', async (_, text) => {
    for (const path of ['a.js', 'a.py', 'a.sh', 'a.sql', 'a.rb', 'Dockerfile', 'Makefile']) {
      await expect(findDestructive({ path, text })).resolves.toBeInstanceOf(Array)
    }
  })

  it('finds an operation at the end of a long file', async () => {
    expect(await shown('a.sh', `${'echo hello\n'.repeat(10_000)}rm -rf x`)).toEqual([
      '10001:1 filesystem rm -rf x',
    ])
  })
})
