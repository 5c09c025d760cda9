import { describe, expect, it, test } from 'vitest'
import type { FileChange } from '../../../change/change-set.ts'
import type { DiffEntry } from '../../../change/trees.ts'
import { checkChangeSet, checkDiff, type GateRules } from '../../gate/gate.ts'

/** The security table's rows about names, each tested at the gate and on the real diff. */
const rules: GateRules = {
  scope: [],
  roadmap: 'docs/ROADMAP.md',
  protectedPaths: ['infra/**'],
  allowed: [],
  modes: new Map([
    ['src/app.js', '100644'],
    ['src/cafe\u0301.js', '100644'],
    ['Straße/a.js', '100644'],
    ['src/Readme.md', '100644'],
    ['dangling', '120000'],
    ['folder-link', '120000'],
    ['vendored', '160000'],
  ]),
}

const create = (path: string): FileChange => ({ action: 'create', path, content: 'x\n' })
const entry = (path: string): DiffEntry => ({
  status: 'added',
  path,
  oldPath: path,
  oldMode: '000000',
  newMode: '100644',
})
const atGate = (path: string) => checkChangeSet([create(path)], rules).map(({ type }) => type)
const atDiff = (path: string) =>
  checkDiff([entry(path)], [create(path)], rules).map(({ type }) => type)

describe('refused by its path, twice', () => {
  test.each([
    ...['..', '../x', 'a/../../x', '/etc/x', '//host/x', 'C:/x', 'C:x', 'a\\..\\x', '\\\\host\\x'],
    ...['~/x', '~root/x', '-rf', './-x', '../work-evil/x', 'a/..', '.', '', ' ', 'a/'],
    ...[
      'a\0b',
      'a\nb',
      'a\rb',
      'a\u001Bb',
      'a\u0085b',
      'a\uD800',
      'a\u200Bb',
      'a\u202Eb',
      'a\u00ADb',
    ],
    ...['a\u{E0041}', 'a\u00A0b', 'a\u3164b'],
    ...['.git/config', '.GIT/x', '.Git/hooks/x', '.git /x', '.git./x', '.git.. /x', 'a/.git/x'],
    ...['GIT~1/x', 'git~9', 'GI7EBA~1', '.git::$INDEX_ALLOCATION/x', '.git:x/y', '.g\u200Cit/x'],
    ...['.gi\u200Dt/x', '.\u2060git/x', '\uFEFF.git/x', '.ｇit/x', '.gıt/x', '.git\u0301/x'],
    ...[
      'CON',
      'con.txt',
      'a/NUL',
      'nul.tar.gz',
      'COM1',
      'com9.log',
      'LPT1',
      'lpt³',
      'AUX.js',
      'PRN',
    ],
    ...[
      'CONIN$',
      'conout$',
      'CLOCK$',
      'com1 .txt',
      'a.',
      'a./b',
      'a ',
      ' a/b',
      'a /b',
      'a:b',
      'a?',
    ],
    ...['a*', 'a<b', 'a>b', 'a|b', 'a"b', `${'n'.repeat(256)}`, `${'é'.repeat(128)}.js`],
    ...[`${'d/'.repeat(512)}x`, `${'d/'.repeat(600_000)}x`],
  ])('%j', (path) => {
    expect(atGate(path)).toContain('path')
    expect(atDiff(path)).toContain('path')
  })
})

describe('refused as protected, twice', () => {
  test.each([
    ...[
      '.github/workflows/x.yml',
      '.GitHub/Workflows/x.yml',
      '.GITHUB/dependabot.yml',
      '.github/x',
    ],
    ...['CODEOWNERS', '.github/CODEOWNERS', 'docs/CODEOWNERS', 'docs/codeowners', '.gitlab-ci.yml'],
    ...[
      '.npmrc',
      'web/.NPMRC',
      '.yarnrc',
      '.yarnrc.yml',
      '.pnpmfile.cjs',
      '.pnpmfile.mjs',
      '.pypirc',
    ],
    ...['package-lock.json', 'web/Package-Lock.json', 'yarn.lock', 'pnpm-lock.yaml', 'Cargo.lock'],
    ...[
      'go.sum',
      'poetry.lock',
      'uv.lock',
      'Gemfile.lock',
      'composer.lock',
      'bun.lock',
      'gradle.lockfile',
    ],
    ...[
      '.husky/pre-commit',
      'web/.husky/pre-push',
      '.githooks/x',
      '.pre-commit-config.yaml',
      'lefthook.yml',
    ],
    ...[
      'AGENTS.md',
      'agents.md',
      'src/AGENTS.md',
      'CLAUDE.md',
      'GEMINI.md',
      '.cursorrules',
      '.cursor/x',
    ],
    ...['.github/copilot-instructions.md', '.windsurfrules', '.claude/settings.json', '.mcp.json'],
    ...[
      '.vscode/tasks.json',
      'web/.vscode/settings.json',
      '.idea/x',
      '.devcontainer/devcontainer.json',
    ],
    ...[
      'app/.devcontainer/x',
      '.devcontainer.json',
      '.envrc',
      'a/.envrc',
      '.env',
      '.mise.toml',
      'mise.toml',
    ],
    ...['.gitmodules', '.gitattributes', 'a/.gitattributes', '.lfsconfig', '.executor/state.json'],
    ...['docs/ROADMAP.md', 'docs/roadmap.md', 'Docs/Roadmap.MD', 'infra/main.tf', 'INFRA/main.tf'],
  ])('%s', (path) => {
    expect(atGate(path)).toContain('protected')
    expect(atDiff(path)).toContain('protected')
  })
})

describe('refused for what the tree already has', () => {
  test.each([
    ['src/APP.js', 'differs from src/app.js only in upper and lower case'],
    ['SRC/new.js', 'differs from src only in upper and lower case'],
    ['src/café.js', 'differs from src/cafe\u0301.js only in upper and lower case'],
    ['STRASSE/b.js', 'differs from Straße only in upper and lower case'],
    ['src/readme.MD', 'differs from src/Readme.md only in upper and lower case'],
    ['src/app.js/x', 'is below src/app.js, which is a file'],
    ['src', 'is a folder'],
    ['dangling', 'is a symbolic link'],
    ['folder-link/x', 'is reached through folder-link, which is a symbolic link'],
    ['vendored/x', 'is reached through vendored, which is another repository (submodule)'],
  ])('%s', (path, message) => {
    expect(checkChangeSet([create(path)], rules)).toMatchObject([{ type: 'tree', message }])
  })

  test.each([
    [['New.js', 'new.js']],
    [['Dir/a.js', 'dir/b.js']],
    [['straße/a', 'STRASSE/b']],
    [['ﬁle.js', 'file.js']],
    [['a', 'a/b']],
    [['a', 'a']],
  ])('%j of one change', (paths) => {
    const problems = checkChangeSet(paths.map(create), { ...rules, modes: new Map() })
    expect(problems.map(({ type }) => type)).toContain('tree')
  })
})

describe('refused for its size or kind, before anything else is looked at', () => {
  const text = (content: string) =>
    checkChangeSet([{ ...create('a.txt'), content } as FileChange], rules)

  test.each([
    ['NUL', 'a\0b', 'binary'],
    ['a zip archive', 'PK\x03\x04', 'binary'],
    ['an empty zip archive', 'PK\x05\x06', 'binary'],
    ['gzip', '\x1F\x8B\x08', 'binary'],
    ['a program', '\x7FELF\x02', 'binary'],
    ['a picture', '\x89PNG\r\n', 'binary'],
    ['a picture read as text', '\uFFFDPNG\r\n', 'binary'],
    ['a document', '%PDF-1.7', 'binary'],
    ['an animation', 'GIF89a', 'binary'],
    ['half a character', 'a\uD83D', 'binary'],
    ['a byte over one megabyte', 'a'.repeat(1024 * 1024 + 1), 'size'],
    ['a megabyte of wide characters', '漢'.repeat(400_000), 'size'],
  ])('%s', (_, content, type) => {
    expect(text(content)).toMatchObject([{ type }])
  })

  it('more than 100 files, or more than 4 MB of them', () => {
    const many = Array.from({ length: 101 }, (_, index) => create(`f${index}`))
    expect(checkChangeSet(many, rules)).toMatchObject([{ path: '', type: 'size' }])
    const heavy = Array.from({ length: 5 }, (_, index) => ({
      ...create(`f${index}`),
      content: 'a'.repeat(1_000_000),
    })) as FileChange[]
    expect(checkChangeSet(heavy, rules)).toMatchObject([{ path: '', type: 'size' }])
    expect(checkChangeSet(many.slice(1), rules)).toEqual([])
    expect(text('a'.repeat(1024 * 1024))).toEqual([])
  })
})
