/** How a person answers a question of ours in its pull request. */
const meanings = {
  approveTasks: ['/approve', 'merge this change of the roadmap, and go on with the new tasks'],
  approveOperations: [
    '/approve',
    'write, test and publish this change, with just these operations',
  ],
  decompose: ['/decompose', 'propose smaller tasks instead'],
  rewrite: ['/rewrite <what to say>', 'propose other words instead'],
  edit: ['/edit, and below it a list of tasks', 'put your own tasks in its place'],
  retry: ['/retry', 'have the task done anew, as it stands'],
  defer: ['/defer', 'close this, and try the task again the next night'],
  skip: ['/skip', 'close this, and leave the task out'],
  reject: ['/reject', 'close this; the task is left alone until it is asked for'],
} as const

export type AnswerName = keyof typeof meanings

/** A table of commands; closing and merging by hand are told apart below it. */
export function writeAnswers(offered: readonly AnswerName[], byHand: string): string {
  const rows = offered.map((name) => {
    const [command, meaning] = meanings[name]
    return `| \`${command}\` | ${meaning} |`
  })
  const table = ['| comment | and the bot will |', '|---|---|', ...rows].join('\n')
  return `### Your answer\n\n${table}\n\n${byHand}`
}
