import { describe, expect, it, test } from 'vitest'
import { lintRules, type RuleId } from '../../lint/rules.ts'
import { lintText, rulesIn } from './lint-text.ts'

describe('the examples of the table', () => {
  test.each(lintRules.map((rule) => [rule.id, rule] as const))(
    '%s',
    (id, { bad, good, severity }) => {
      const found = lintText(bad).find(({ rule }) => rule === id)
      expect(found?.severity).toBe(severity)
      expect(lintText(good)).toEqual([])
    },
  )
})

/** Roadmaps in which a rule finds something, and ones in which it does not. */
const cases: Readonly<Record<RuleId, { bad: readonly string[]; good: readonly string[] }>> = {
  'invalid-id': {
    bad: ['- [ ] [T-.x] A', '- [ ] [T-a..b] Add b', `- [ ] [T-${'9'.repeat(70)}] Add b`],
    good: ['- [ ] [T-a.b] A', '- [ ] T-1.2_3: A', '- [ ] Read `T-../x`'],
  },
  'duplicate-id': {
    bad: ['- [ ] T-1: A\n- [ ] T-1: B', '- [ ] [T-a] A\n- [ ] [T-A] B'],
    good: [
      '- [ ] Add search\n- [ ] Add search',
      '- [ ] T-1: A\n- [ ] T-2: B',
      '# One\n- [ ] Add search\n# Two\n- [ ] Add search',
      '```\n- [ ] T-1: A\n```\n- [ ] T-1: B',
    ],
  },
  'same-task': {
    bad: ['- [ ] Add search\n- [ ] Add search', '# A\n- [x] Add search\n\n- [ ] Add search'],
    good: ['# A\n- [ ] Add search\n# B\n- [ ] Add search', '- [ ] Add a\n  b\n- [ ] Add a\n  c'],
  },
  'unread-text': {
    bad: [
      '## A\n- [ ] Add `a`\n- [ ] Add `b`\n\nBoth in May.',
      '## A\n- [ ] Add `a`\n\n## B\nThen we add a page for each.',
      '## A\n- [ ] Add `a`\n\n## Success criteria\n- [ ] Cleaner, more maintainable codebase',
    ],
    good: [
      '# Plan\nWe build it.\n\n## A\nFirst this.\n\n- [ ] Add `a`\n  Both in May.',
      '## A\n- [ ] Add `a`\n\n---\n\n<!-- note -->\n',
      'Only words, for a model to find tasks in.',
    ],
  },
  'unread-box': {
    bad: [
      '- [] Add `a`',
      '> - [ ] Add `a`',
      '```\n- [ ] Add `a`\n```',
      '| a |\n|---|\n| [ ] Add `b` |',
    ],
    good: ['- [ ] Add `a`', '- [a](/b) and `[ ]`', '<!-- - [ ] Add `a` -->'],
  },
  'unread-value': {
    bad: [
      '- [ ] Add `a`\n  - Files: the parser',
      '- [ ] Add `a`\n  - Accept: it works',
      '- [ ] Add `a`\n  - Accept: `npm test` prints `ok`',
      '- [ ] Add `a`\n  - Verify: by hand',
    ],
    good: ['none', '`a.ts`', '[a](a.ts)'].map((files) => `- [ ] Add \`a\`\n  - Files: ${files}`),
  },
  'left-out-task': {
    bad: ['- [ ] ~~Add `a`~~', '## Icebox\n- [ ] Add `a`', '- [ ] Add `a` (deferred)'],
    good: ['- [-] Add `a`', '## Icebox\n- [x] Add `a`', '- [ ] Add ~~a~~ `b`'],
  },
  'unread-dependency': {
    bad: [
      '- [ ] Add `a` — blocked by 1.3',
      '- [ ] Add `a`\n  - Requires 1.3',
      '- [ ] T-1 Add `a`, after T-2\n- [ ] T-2 Add `b` (depends on T-1)',
    ],
    good: [
      '- [ ] 1.3 Add `b`\n- [ ] Add `a` — blocked by 1.3',
      '- [ ] Add `a`, which needs 1.1 GB\n  - Requires Python 3.11',
      '- [ ] Add `a`\n  Look at it after the release.',
    ],
  },
  'unread-status': {
    bad: ['| Task | Status |\n|---|---|\n| Add `a` | planned |\n| Add `b` | moonlit |'],
    good: [
      '| Task | Status |\n|---|---|\n| Add `a` | planned |\n| Add `b` | |',
      '| Name | Role |\n|---|---|\n| Ada | moonlit |',
    ],
  },
  'unknown-dependency': {
    bad: [
      '- [ ] T-1: A\n  - Depends on: T-2',
      '- [ ] T-1: A (depends on T-9)',
      '- [ ] T-1: A\n  - **Depends on**: 4.2',
    ],
    good: [
      '- [x] T-2: B\n- [ ] T-1: A\n  - Depends on: T-2',
      '- [ ] T-1: A\n  - Depends on: none',
      '## Phase 1\n- [ ] T-1: A\n## Phase 2\n> **Prerequisite**: Phase 1\n\n- [ ] T-2: B',
    ],
  },
  'dependency-cycle': {
    bad: [
      '- [ ] T-1: A\n  - Depends on: T-1',
      '- [ ] T-1: A\n  - Depends on: T-2\n- [ ] T-2: B\n  - Depends on: T-1',
      '- [ ] T-1: A\n  - Depends on: T-3\n- [ ] T-2: B\n  - Depends on: T-1\n- [ ] T-3: C\n  - Depends on: T-2',
    ],
    good: [
      '- [x] T-1: A\n  - Depends on: T-2\n- [ ] T-2: B\n  - Depends on: T-1',
      '- [ ] T-1: A\n- [ ] T-2: B\n  - Depends on: T-1\n- [ ] T-3: C\n  - Depends on: T-1, T-2',
      '- [ ] T-2: A\n  - Depends on: T-1\n- [ ] T-1: B',
    ],
  },
  'invalid-path': {
    bad: ['../x.ts', '/etc/passwd', 'src/../../x.ts'].map(
      (path) => `- [ ] A\n  - Files: \`${path}\``,
    ),
    good: ['x.ts', 'src/**', '.github/a.yml'].map((path) => `- [ ] A\n  - Files: \`${path}\``),
  },
  'vague-task': {
    bad: [
      'Make everything work better',
      'Improve performance',
      'Fix bugs',
      'Refactor',
      'Clean up the code and improve quality',
      'Various fixes',
      'TBD',
      '???',
      'Login page',
      'Error handling',
      'Fix and improve stuff',
      'Improve the overall quality of the codebase so that everything is much better',
      'Refactoring\n  - **Priority**: high\n  - **Budget**: 90k tokens',
      'Polish <!-- everything in src/app.ts that matters to us -->',
    ].map((task) => `- [ ] ${task}`),
    good: [
      'Add `src/user.ts` with a User class',
      'Add login page',
      'Add search',
      'Support OAuth',
      'Update dependencies',
      'Write README',
      'Rename src/app.ts',
      'Users can reset their password',
      'Refactor `parse`',
      'Login page\n  - It asks for a name and a password',
      'Login page\n  - **Files**: `src/app.ts`',
      'Login page\n  - **Accept**: `npm test`',
      'Login page\n  - [ ] the form\n  - [ ] the check',
      'Die Anmeldung prüfen',
      '添加登录页面',
      'Сделать страницу входа',
      'Ajouter une page',
    ].map((task) => `- [ ] ${task}`),
  },
  'oversized-task': {
    bad: [
      `- [ ] Add ${'a very long sentence about src/app.ts '.repeat(14)}`,
      '- [ ] Add users, groups, roles, rights, tokens, keys, sessions to `src/app.ts`',
      '- [ ] Add a and b and c and d and e to `src/app.ts`',
      `- [ ] Add search to \`src/app.ts\`\n  - ${'It finds what people look for. '.repeat(17)}`,
    ],
    good: [
      '- [ ] Add a, b, c, d, e, f to `src/app.ts`',
      '- [ ] Add a and b and c and d to `src/app.ts`',
      `- [ ] Add ${'x'.repeat(490)}`,
      '- [ ] Add the API\n  - **Files**: `a.ts`, `b.ts`, `c.ts`, `d.ts`, `e.ts`, `f.ts`, `g.ts`, `h.ts`',
      `- [ ] Add the API\n  \`\`\`ts\n  ${'f(a, b, c, d, e, f, g, h)\n  '.repeat(30)}\n  \`\`\``,
      '- [ ] Call `f(a, b, c, d, e, f, g, h)` from `src/app.ts`',
      `- [x] Add ${'everything, '.repeat(60)}`,
    ],
  },
  'shared-file': {
    bad: [
      '- [ ] T-1: Add a\n  - Files: `src/app.ts`\n- [ ] T-2: Add b\n  - Files: `src/app.ts`',
      // 3 waits for 1, and 2 for nobody.
      '- [ ] T-1: Add a\n  - Files: `x.ts`\n- [ ] T-2: Add b\n  - Files: `x.ts`\n- [ ] T-3: Add c\n  - Files: `x.ts`\n  - Depends on: T-1',
      // They wait for the same, not for each other.
      '- [ ] T-1: Add a\n- [ ] T-2: Add b\n  - Files: `src/*`\n  - Depends on: T-1\n- [ ] T-3: Add c\n  - Files: `src/*`\n  - Depends on: T-1',
    ],
    good: [
      '- [ ] T-1: Add a\n  - Files: `x.ts`\n- [ ] T-2: Add b\n  - Files: `y.ts`',
      '- [x] T-1: Add a\n  - Files: `x.ts`\n- [ ] T-2: Add b\n  - Files: `x.ts`',
      // Over another task, which does not touch it.
      '- [ ] T-1: Add a\n  - Files: `x.ts`\n- [ ] T-2: Add b\n  - Depends on: T-1\n- [ ] T-3: Add c\n  - Files: `x.ts`\n  - Depends on: T-2',
      // The later one in the document comes first.
      '- [ ] T-2: Add b\n  - Files: `x.ts`\n  - Depends on: T-1\n- [ ] T-1: Add a\n  - Files: `x.ts`',
      '## Phase 1\n- [ ] T-1: Add a\n  - Files: `x.ts`\n## Phase 2\n> **Prerequisite**: Phase 1\n\n- [ ] T-2: Add b\n  - Files: `x.ts`',
    ],
  },
  'small-budget': {
    bad: ['100 tokens', '$0.0001', '2k tokens, $0.001', '0 tokens'].map(
      (budget) => `- [ ] Add \`src/b.ts\`\n  - **Budget**: ${budget}`,
    ),
    good: ['50k tokens', '$2', '50k tokens, $2', 'enough'].map(
      (budget) => `- [ ] Add \`src/b.ts\`\n  - **Budget**: ${budget}`,
    ),
  },
  'hidden-text': {
    bad: ['a\u202Eb', 'a\u200Bb', 'add\u{E0041}it', '\u2066x'].map(
      (word) => `- [ ] Add \`x.ts\` ${word}`,
    ),
    good: ['ünïcode', '日本語', '👩‍💻', 'می‌خواهم'].map((word) => `- [ ] Add \`x.ts\` ${word}`),
  },
  'no-tasks': {
    bad: ['', '# Roadmap', '```\n- [ ] A\n```', '✅ done\n⏳ pending'],
    good: ['- [ ] Add search', '- [x] Add search', '1. [-] Add search'],
  },
  'missing-file': {
    bad: [
      '- [ ] Fix the loop in `src/prase.ts`',
      '- [ ] Fix the loop\n  - **Files**: `src/loop.ts`',
      '- [ ] Document lib/parse.ts',
      '- [ ] Thick is more than 400 pages\n  - **Files**: `src/prase.ts`',
      '- [ ] Thick is more than 400 pages\n  - **Files**: `src/parse.js`',
      '- [ ] Fix the loop in `src/parse.js`',
    ],
    good: [
      '- [ ] Fix the loop in `src/parse.ts`',
      '- [ ] Fix the loop in `parse.ts`',
      '- [ ] Add `src/new.ts`',
      '- [ ] Add a loop\n  - **Files**: `src/loop.ts`',
      '- [ ] Loops end\n  - **Files**: `src/loop.ts`, `test/parse.ts`',
      '- [ ] Add a parser that is twice as fast\n  - **Files**: `src/parser.ts`',
      '- [ ] Fix the loop in `src/new.ts`\n- [ ] Create `src/new.ts`',
      '- [ ] Fix the loops in `src/*.ts`, `lib/` and `src/**`',
      '- [ ] Use Node.js, see https://example.org/a.ts and the route /users/:id',
      '- [x] Fix the loop in `src/gone.ts`',
    ],
  },
}

describe.each(Object.entries(cases))('%s', (id, { bad, good }) => {
  it.each(bad)('is found in %j', (text) => {
    expect(rulesIn(text)).toContain(id)
  })

  it.each(good)('is not found in %j', (text) => {
    expect(rulesIn(text)).not.toContain(id)
  })
})

describe('what a person is told', () => {
  test.each([
    [
      '# R\n\n  - [ ] T-1: Fix things',
      { rule: 'vague-task', line: 3, column: 3, message: expect.stringContaining('"Fix things"') },
    ],
    [
      '- [ ] T-1: Fix it in `src/app.ts`\n  - and in `src/prase.ts`',
      { line: 2, column: 13, fix: expect.stringContaining('Did you mean src/parse.ts?') },
    ],
    ['- [ ] Fix `lib/parse.ts`', { fix: expect.stringContaining('src/parse.ts') }],
    ['- [ ] Fix `src/parse.js`', { fix: expect.stringContaining('src/parse.ts') }],
    [
      '- [ ] Fix `src/other.ts`',
      { fix: 'Correct the name, or say which task creates it: Add `file`.' },
    ],
    [
      '- [ ] T-1: Add `x.ts`\n  - **Budget**: 900 tokens',
      { line: 2, column: 3, message: expect.stringMatching(/4,000 tokens.*allows 900 tokens/) },
    ],
    [
      '- [ ] T-1: Add a\n  - Files: `src/app.ts`\n- [ ] T-2: Add b\n  - Files: `src/app.ts`',
      {
        severity: 'warning',
        line: 4,
        column: 13,
        message: 'T-1 (line 1), T-2 (line 3) claim src/app.ts, but no dependency orders them.',
        fix: 'Add **Depends on**: T-1 to T-2, or give each task its own files.',
      },
    ],
    [
      '- [ ] T-1: Add a\n  - Files: `new.ts`\n- [ ] T-2: Add b\n  - Files: `new.ts`',
      {
        severity: 'note',
        message: expect.stringContaining('T-1 goes first, since it creates the file'),
      },
    ],
  ])('%j', (text, expected) => {
    expect(lintText(text)).toContainEqual(expect.objectContaining(expected))
  })
})
