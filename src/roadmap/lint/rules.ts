/** One thing that lint looks for, as docs/lint.md and SARIF describe it. */
export interface LintRule {
  readonly id: string
  readonly severity: 'error' | 'warning' | 'note'
  /** What is found, in a line. */
  readonly summary: string
  /** Why it matters, and where the border is. */
  readonly help: string
  /** A roadmap in which it is found, and one in which it is not. */
  readonly bad: string
  readonly good: string
}

/** Every rule, the ones that refuse a run first. Those that reading a roadmap finds are of `roadmap/`. */
export const lintRules = [
  {
    id: 'invalid-id',
    severity: 'error',
    summary: 'An id that cannot be the name of a branch.',
    help: 'A task is worked on in the branch `agent/<id>`. An id of ours is `T-` and up to 64 letters, digits, dots, hyphens or underscores; those of other trackers (`ENG-42`, `#17`) are taken as they are.',
    bad: '- [ ] [T-../up] Add the parser in `src/parse.ts`',
    good: '- [ ] [T-101] Add the parser in `src/parse.ts`',
  },
  {
    id: 'duplicate-id',
    severity: 'error',
    summary: 'Two tasks that are given one id.',
    help: 'Branches, pull requests and dependencies would be of both.',
    bad: '- [ ] T-1: Add the parser in `src/parse.ts`\n- [ ] T-1: Add the printer in `src/print.ts`',
    good: '- [ ] T-1: Add the parser in `src/parse.ts`\n- [ ] T-2: Add the printer in `src/print.ts`',
  },
  {
    id: 'unknown-dependency',
    severity: 'error',
    summary: 'A dependency on nothing in this roadmap.',
    help: 'The task could never start. Only a warning where the task is done.',
    bad: '- [ ] T-1: Add the parser in `src/parse.ts`\n  - **Depends on**: T-7',
    good: '- [x] T-7: Add the lexer\n- [ ] T-1: Add the parser in `src/parse.ts`\n  - **Depends on**: T-7',
  },
  {
    id: 'dependency-cycle',
    severity: 'error',
    summary: 'Tasks that wait for each other.',
    help: 'None of them could ever start.',
    bad: '- [ ] T-1: Add the parser in `src/parse.ts`\n  - **Depends on**: T-2\n- [ ] T-2: Add the printer in `src/print.ts`\n  - **Depends on**: T-1',
    good: '- [ ] T-1: Add the parser in `src/parse.ts`\n- [ ] T-2: Add the printer in `src/print.ts`\n  - **Depends on**: T-1',
  },
  {
    id: 'invalid-path',
    severity: 'warning',
    summary: 'A path of `Files` that is not inside the repository.',
    help: 'It is left out of what the task may write.',
    bad: '- [ ] T-1: Add the parser\n  - **Files**: `../parse.ts`',
    good: '- [ ] T-1: Add the parser\n  - **Files**: `src/parse.ts`',
  },
  {
    id: 'vague-task',
    severity: 'warning',
    summary: 'A task that does not say what is to change.',
    help: 'It names no file, no code, no command that must pass and no subtask, and either no word of it says what it is about, or it has fewer than five words and no verb among them. A verb with an object is enough: "Add login page" is a good task. A model guesses at a vague one, and each guess is paid for.',
    bad: '- [ ] Make everything work better',
    good: '- [ ] Add `src/user.ts` with a User class\n- [ ] Add login page',
  },
  {
    id: 'oversized-task',
    severity: 'warning',
    summary: 'A task that is probably several.',
    help: 'Its own words, without metadata and code, are more than 500 characters, or have more than five commas or more than three "and". One change at a time is what models do well, and what people can review.',
    bad: '- [ ] Add a page for login and one for logout and one for settings and an API and tests for `src/app.ts`',
    good: '- [ ] Add a login page to `src/app.ts`\n- [ ] Add a settings page to `src/app.ts`',
  },
  {
    id: 'shared-file',
    severity: 'warning',
    summary: 'A file that several tasks claim, and none of them waits for the other.',
    help: 'Their pull requests would change it side by side, and conflict. Compared are the `Files` of open tasks, as they are written. Only a note where the first task makes the file, since the next then starts from it anyway.',
    bad: '- [ ] T-1: Add login to the app\n  - **Files**: `src/app.ts`\n- [ ] T-2: Add logout to the app\n  - **Files**: `src/app.ts`',
    good: '- [ ] T-1: Add login to the app\n  - **Files**: `src/app.ts`\n- [ ] T-2: Add logout to the app\n  - **Files**: `src/app.ts`\n  - **Depends on**: T-1',
  },
  {
    id: 'small-budget',
    severity: 'warning',
    summary: 'A `Budget` below what the task will probably take.',
    help: 'The task would be begun, paid for, and stopped before it is finished. The forecast learns from finished tasks; until there are three it is a guess.',
    bad: '- [ ] T-1: Add the parser in `src/parse.ts`\n  - **Budget**: 300 tokens',
    good: '- [ ] T-1: Add the parser in `src/parse.ts`\n  - **Budget**: 30k tokens',
  },
  {
    id: 'hidden-text',
    severity: 'warning',
    summary: 'Text that people do not see, or see in another order.',
    help: 'Such text is cut out before a model reads it, so that nobody gives orders which the reviewer of the roadmap did not see. It is rarely there on purpose.',
    bad: '- [ ] T-1: Add the par\u200Bser in `src/parse.ts`',
    good: '- [ ] T-1: Add the parser in `src/parse.ts`',
  },
  {
    id: 'no-tasks',
    severity: 'warning',
    summary: 'A document without a task.',
    help: 'A task is a check box in a list. Signs such as ⏳ tell tasks, too; prose does not by itself.',
    bad: '# Roadmap\n\nA parser, and then a printer.',
    good: '# Roadmap\n\n- [ ] Add the parser in `src/parse.ts`',
  },
  {
    id: 'same-task',
    severity: 'note',
    summary: 'Tasks that say the same under the same heading.',
    help: 'Nothing tells them apart, so they are one task: worked on once, and ticked in every place.',
    bad: '- [ ] Add a parser to `a.ts`\n- [ ] Add a parser to `a.ts`',
    good: '- [ ] Add a parser to `a.ts`\n- [ ] Add a parser to `b.ts`',
  },
  {
    id: 'unread-text',
    severity: 'note',
    summary: 'Text beside the tasks that belongs to none of them.',
    help: 'A model is shown the text of its task: what is indented under the box, and what stands right below it. Boxes under "Success criteria" and the like say how success is told, and are no tasks.',
    bad: '- [ ] Add a parser to `a.ts`\n\nIt reads numbers.\n\n- [ ] Add a printer to `b.ts`\n- [ ] Add a lexer to `c.ts`',
    good: '- [ ] Add a parser to `a.ts`\n  It reads numbers.\n- [ ] Add a printer to `b.ts`\n- [ ] Add a lexer to `c.ts`',
  },
  {
    id: 'unread-dependency',
    severity: 'note',
    summary: 'Words that tell of a dependency, on nothing in this roadmap.',
    help: '"— blocked by 1.3", "(after Add the parser)" and the like are understood where they name an id, a number or a title. One that would close a circle is left out.',
    bad: '- [ ] Add a printer to `b.ts` — blocked by 1.3',
    good: '- [ ] 1.3 Add a parser to `a.ts`\n- [ ] Add a printer to `b.ts` — blocked by 1.3',
  },
  {
    id: 'unread-status',
    severity: 'note',
    summary: 'A status in a table that is no word we know.',
    help: 'The row is a task as much as the others, and waits as if it were blocked until its status is one that is understood.',
    bad: '| Task | Status |\n|---|---|\n| Add a parser to `a.ts` | planned |\n| Add a lexer to `b.ts` | moonlit |',
    good: '| Task | Status |\n|---|---|\n| Add a parser to `a.ts` | planned |\n| Add a lexer to `b.ts` | done |',
  },
  {
    id: 'missing-file',
    severity: 'note',
    summary: 'A file that is not there, and that no task makes.',
    help: 'Mostly a slip of the pen. A task makes what a sentence says that it makes ("Add `a.js`"), and its `Files`, unless its title is about something that is there ("Fix the loop"), or a file has nearly that name. Looked for at the base commit, and not outside a repository.',
    bad: '- [ ] T-1: Fix the loop in `src/prase.ts`',
    good: '- [ ] T-1: Fix the loop in `src/parse.ts`',
  },
] as const satisfies readonly LintRule[]

export type RuleId = (typeof lintRules)[number]['id']

export const isRuleId = (name: string): name is RuleId => lintRules.some(({ id }) => id === name)

/** An example as people see it: what cannot be seen is written out. */
export const visibleExample = (text: string): string => text.replaceAll('\u200B', '<U+200B>')
