/** A lint rule, as docs/lint.md and SARIF describe it. */
export interface LintRule {
  readonly id: string
  readonly severity: 'error' | 'warning' | 'note'
  /** The problem, in one line. */
  readonly summary: string
  /** Why the problem matters, and what counts as one. */
  readonly help: string
  /** A roadmap with the problem, and one without. */
  readonly bad: string
  readonly good: string
}

/** Every rule, errors first. `roadmap/` finds some of the problems while it reads a roadmap. */
export const lintRules = [
  {
    id: 'invalid-id',
    severity: 'error',
    summary: 'An id that cannot be part of a branch name.',
    help: 'The executor works on a task in the branch `agent/<id>`. An id is `T-` followed by up to 64 letters, digits, dots, hyphens or underscores. Ids of other trackers (`ENG-42`, `#17`) work unchanged.',
    bad: '- [ ] [T-../up] Add the parser in `src/parse.ts`',
    good: '- [ ] [T-101] Add the parser in `src/parse.ts`',
  },
  {
    id: 'duplicate-id',
    severity: 'error',
    summary: 'Two tasks with the same id.',
    help: 'Their branches, pull requests and dependents could not be told apart.',
    bad: '- [ ] T-1: Add the parser in `src/parse.ts`\n- [ ] T-1: Add the printer in `src/print.ts`',
    good: '- [ ] T-1: Add the parser in `src/parse.ts`\n- [ ] T-2: Add the printer in `src/print.ts`',
  },
  {
    id: 'unknown-dependency',
    severity: 'error',
    summary: 'A dependency on a task that is not in this roadmap.',
    help: 'The task can never start. On a finished task it is only a warning.',
    bad: '- [ ] T-1: Add the parser in `src/parse.ts`\n  - **Depends on**: T-7',
    good: '- [x] T-7: Add the lexer\n- [ ] T-1: Add the parser in `src/parse.ts`\n  - **Depends on**: T-7',
  },
  {
    id: 'dependency-cycle',
    severity: 'error',
    summary: 'Tasks that depend on each other.',
    help: 'None of these tasks can ever start.',
    bad: '- [ ] T-1: Add the parser in `src/parse.ts`\n  - **Depends on**: T-2\n- [ ] T-2: Add the printer in `src/print.ts`\n  - **Depends on**: T-1',
    good: '- [ ] T-1: Add the parser in `src/parse.ts`\n- [ ] T-2: Add the printer in `src/print.ts`\n  - **Depends on**: T-1',
  },
  {
    id: 'invalid-path',
    severity: 'warning',
    summary: 'A path in `Files` that is not inside the repository.',
    help: 'The task may not write to this path.',
    bad: '- [ ] T-1: Add the parser\n  - **Files**: `../parse.ts`',
    good: '- [ ] T-1: Add the parser\n  - **Files**: `src/parse.ts`',
  },
  {
    id: 'vague-task',
    severity: 'warning',
    summary: 'A task that does not say what to change.',
    help: 'The task names no file, no code, no command that must pass and no subtask; and either no word names its subject, or it has fewer than five words and no verb. A verb with an object is enough: "Add login page" is a good task. A model has to guess at a vague task, and you pay for each guess.',
    bad: '- [ ] Make everything work better',
    good: '- [ ] Add `src/user.ts` with a User class\n- [ ] Add login page',
  },
  {
    id: 'oversized-task',
    severity: 'warning',
    summary: 'A task that is probably several tasks.',
    help: 'Its text, without metadata and code, has more than 500 characters, more than five commas or more than three "and". Models work best on one change at a time, and people can review it.',
    bad: '- [ ] Add a page for login and one for logout and one for settings and an API and tests for `src/app.ts`',
    good: '- [ ] Add a login page to `src/app.ts`\n- [ ] Add a settings page to `src/app.ts`',
  },
  {
    id: 'shared-file',
    severity: 'warning',
    summary: 'A file that several tasks change although neither depends on the other.',
    help: 'Their pull requests would change the file in parallel and conflict. The rule compares the `Files` of open tasks as written. It is only a note when the first task creates the file, since the next one then starts from that work anyway.',
    bad: '- [ ] T-1: Add login to the app\n  - **Files**: `src/app.ts`\n- [ ] T-2: Add logout to the app\n  - **Files**: `src/app.ts`',
    good: '- [ ] T-1: Add login to the app\n  - **Files**: `src/app.ts`\n- [ ] T-2: Add logout to the app\n  - **Files**: `src/app.ts`\n  - **Depends on**: T-1',
  },
  {
    id: 'small-budget',
    severity: 'warning',
    summary: 'A `Budget` below the forecast for the task.',
    help: 'The executor would start the task, pay for it, and stop before it is finished. The forecast learns from finished tasks; with fewer than three it is a guess.',
    bad: '- [ ] T-1: Add the parser in `src/parse.ts`\n  - **Budget**: 300 tokens',
    good: '- [ ] T-1: Add the parser in `src/parse.ts`\n  - **Budget**: 30k tokens',
  },
  {
    id: 'hidden-text',
    severity: 'warning',
    summary: 'Text that readers do not see, or see in a different order.',
    help: "The executor removes such text before a model reads the roadmap, so no one can give instructions that the roadmap's reviewer did not see. It is rarely intentional.",
    bad: '- [ ] T-1: Add the par\u200Bser in `src/parse.ts`',
    good: '- [ ] T-1: Add the parser in `src/parse.ts`',
  },
  {
    id: 'no-tasks',
    severity: 'warning',
    summary: 'A document without tasks.',
    help: 'A task is a checkbox in a list. Status signs such as ⏳ also mark tasks; prose alone does not.',
    bad: '# Roadmap\n\nA parser, and then a printer.',
    good: '# Roadmap\n\n- [ ] Add the parser in `src/parse.ts`',
  },
  {
    id: 'same-task',
    severity: 'note',
    summary: 'Identical tasks under the same heading.',
    help: 'Nothing distinguishes them, so they count as one task: done once, ticked in every place.',
    bad: '- [ ] Add a parser to `a.ts`\n- [ ] Add a parser to `a.ts`',
    good: '- [ ] Add a parser to `a.ts`\n- [ ] Add a parser to `b.ts`',
  },
  {
    id: 'unread-text',
    severity: 'note',
    summary: 'Text between tasks that belongs to no task.',
    help: 'A model sees the text of its task: the lines indented under the checkbox and the lines directly below it. It also sees the text above the tasks of the nearest section that has some, up to 4,000 characters; under the title of the document only with a code sample. Checkboxes under "Success criteria" and similar headings describe success; they are not tasks.',
    bad: '- [ ] Add a parser to `a.ts`\n\nIt reads numbers.\n\n- [ ] Add a printer to `b.ts`\n- [ ] Add a lexer to `c.ts`',
    good: '- [ ] Add a parser to `a.ts`\n  It reads numbers.\n- [ ] Add a printer to `b.ts`\n- [ ] Add a lexer to `c.ts`',
  },
  {
    id: 'unread-box',
    severity: 'note',
    summary: 'A check box that is no task.',
    help: 'A task is a list item that starts with a box, a space and words. Boxes in block quotes, code, HTML, tables and headings are not tasks, nor is a box with a mistake, such as `- []` or `-[ ]`.',
    bad: '- [] Add a parser to `a.ts`\n\n> - [ ] Add a printer to `b.ts`',
    good: '- [ ] Add a parser to `a.ts`\n- [ ] Add a printer to `b.ts`',
  },
  {
    id: 'unread-value',
    severity: 'note',
    summary: 'Metadata that the executor cannot read.',
    help: '`Files` needs paths: in back-ticks, as the targets of links, or as plain words. `Accept` and `Verify` need commands. Code in a sentence, such as "`add(1, 2)` returns `3`", is not run unless it starts with the name of a known program.',
    bad: '- [ ] Add a parser to `a.ts`\n  - **Accept**: `parse(1)` returns `2`',
    good: '- [ ] Add a parser to `a.ts`\n  - **Accept**: `npm test`',
  },
  {
    id: 'left-out-task',
    severity: 'note',
    summary: 'A task that the roadmap itself leaves out.',
    help: 'A struck-out task, one under "Out of scope", "Won\'t do" or a similar heading, and one marked "(cancelled)" count as cancelled. "Icebox", "Deferred", "On hold" and similar words count as blocked. No run works on such tasks.',
    bad: '- [ ] ~~Add a parser to `a.ts`~~\n\n## Icebox\n\n- [ ] Add a printer to `b.ts`',
    good: '- [-] Add a parser to `a.ts`\n\n## Later\n\n- [ ] Add a printer to `b.ts`',
  },
  {
    id: 'unread-dependency',
    severity: 'note',
    summary: 'Words that describe a dependency on a task that is not in this roadmap.',
    help: '"— blocked by 1.3", "(after Add the parser)" and similar phrases count when they name an id, a number or a title. A dependency that would close a cycle is ignored.',
    bad: '- [ ] Add a printer to `b.ts` — blocked by 1.3',
    good: '- [ ] 1.3 Add a parser to `a.ts`\n- [ ] Add a printer to `b.ts` — blocked by 1.3',
  },
  {
    id: 'unread-status',
    severity: 'note',
    summary: 'A status in a table that the executor does not know.',
    help: 'The row is a task like the others, and counts as blocked until it has a known status.',
    bad: '| Task | Status |\n|---|---|\n| Add a parser to `a.ts` | planned |\n| Add a lexer to `b.ts` | moonlit |',
    good: '| Task | Status |\n|---|---|\n| Add a parser to `a.ts` | planned |\n| Add a lexer to `b.ts` | done |',
  },
  {
    id: 'missing-file',
    severity: 'note',
    summary: 'A file that does not exist and that no task creates.',
    help: 'Usually a typo. A task creates the files that a sentence says it creates ("Add `a.js`") and those in its `Files`, unless its title is about existing code ("Fix the loop") or an existing file has a similar name. The rule checks the base commit, and does nothing outside a repository.',
    bad: '- [ ] T-1: Fix the loop in `src/prase.ts`',
    good: '- [ ] T-1: Fix the loop in `src/parse.ts`',
  },
] as const satisfies readonly LintRule[]

export type RuleId = (typeof lintRules)[number]['id']

export const isRuleId = (name: string): name is RuleId => lintRules.some(({ id }) => id === name)

/** Writes out the invisible characters of an example. */
export const visibleExample = (text: string): string => text.replaceAll('\u200B', '<U+200B>')
