import { changesOf } from '../../core/domain/attempt.ts'
import type { ProposalMark } from '../../core/domain/proposal-marker.ts'
import type { Attempt, RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { fold } from '../../text/markdown/fold.ts'
import { inlineCode } from '../../text/markdown/inline-code.ts'
import { fenced, neutraliseLine } from '../../text/markdown/neutralise.ts'
import { writePatch } from '../../text/markdown/write-patch.ts'
import { writeAnswers } from './write-answers.ts'
import { titleOf } from './write-commit-message.ts'
import { runDetails, taskText } from './write-pull-request.ts'
import { commitMessage, join, marks, type QuestionText } from './write-recovery.ts'

const longestPatch = 24_000
const mostShown = 40

/** The question whether a change with destructive operations may be written: it is nowhere yet. */
export function writeDestructiveProposal(
  attempt: Attempt,
  hash: string,
  run: Pick<RunState, 'runId'>,
  settings: Pick<Settings, 'commit' | 'model'>,
): QuestionText {
  const { task, draft, destructive } = attempt
  const title = titleOf('Ask about', attempt, settings)
  const count = destructive.length
  const lead = [
    `The change for **${task.id}** does ${count === 1 ? 'something' : `${count} things`} that nobody can take back. It was neither written nor run nor pushed: it waits for a writer of this repository.`,
    table(attempt),
  ]
  const patch = writePatch(changesOf(draft), longestPatch)
  const change = fold('The whole change', fenced(patch, 'diff'))
  const body = (mark: ProposalMark) => [
    ...lead,
    howToAnswer,
    change,
    fold('The task, as the roadmap has it', fenced(taskText(task), 'markdown')),
    runDetails(attempt, run, settings),
    marks(task, mark),
  ]
  const comment = (mark: ProposalMark) => [...lead, howToAnswer, marks(task, mark)]
  return {
    title,
    commit: commitMessage(title, attempt, 'A change waits for approval', run, 'asked', hash),
    body: (mark) => join(body(mark)),
    comment: (mark) => join(comment(mark)),
  }
}

const howToAnswer = writeAnswers(
  ['approveOperations', 'retry', 'defer', 'skip', 'reject'],
  'To merge this by hand is to approve: it adds one comment to the roadmap that says so. To close it is to reject. One more operation, or another one in a repair, is asked about again.',
)

function table({ destructive }: Attempt): string {
  const rows = destructive
    .slice(0, mostShown)
    .map(
      ({ category, path, line, operation, why }) =>
        `| ${category} | ${inlineCode(`${path}:${line}`)} | ${inlineCode(operation)} | ${cell(why)} |`,
    )
  const more = destructive.length - mostShown
  return [
    '| category | where | operation | why |',
    '|---|---|---|---|',
    ...rows,
    ...(more > 0 ? [`| | | and ${more} more | |`] : []),
  ].join('\n')
}

const cell = (text: string): string => neutraliseLine(text).replaceAll(/(\\*)\|/g, '$1$1\\|')
