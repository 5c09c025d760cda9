/** What each command does, one line each, in the order in which they are wanted. */
const meanings: readonly (readonly [string, string])[] = [
  [
    '/approve [commit]',
    'carries out what is proposed here, or merges a finished task where that is allowed',
  ],
  ['/revise <what to change>', 'another attempt with what you say and with the open threads'],
  ['/retry', 'the task anew, from its start'],
  ['/decompose', 'proposes smaller tasks in place of this one'],
  ['/rewrite [what to say]', 'proposes other words for this task'],
  ['/edit', 'your own tasks, listed below, take the place of this one'],
  ['/allow <path>', 'lets this task change one more file, and tries again'],
  ['/defer', 'closes this, and tries again the next night'],
  ['/skip', 'closes this, and leaves the task out'],
  ['/reject', 'closes this; the task is left alone until it is asked for'],
  ['/run [id]', 'works on a task now'],
  ['/cancel', 'stops the work on this'],
  ['/status', 'how the tasks stand'],
  ['/help', 'this list'],
]

/** The list of commands. */
export function writeHelp(): string {
  const rows = meanings.map(([command, meaning]) => `| \`${command}\` | ${meaning} |`)
  return [
    'A command is the first word of a comment, or of a comment on a line:',
    '',
    '| command | what it does |',
    '|---|---|',
    ...rows,
    '',
    'All but the last two need write access. A review counts, too: to approve is `/approve`, to request changes is `/revise`.',
  ].join('\n')
}
