import type { TestFailure } from '../../../packages/judge/judge.ts'
import type { Task } from '../../../packages/task/task.ts'
import type { Feedback } from '../../core/domain/answer.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { describeFeedback, describeTask } from './draft.ts'
import { type ShownProblem, showProblems, tellUseless } from './repair-code.ts'
import { showFailures } from './repair-test.ts'

export interface AgentBrief {
  readonly task: Task
  /** How an earlier attempt at this task ended, in a sentence. */
  readonly history: string | null
  /** The review of the work so far, which is in the folder. */
  readonly feedback: Feedback | null
  /** Why its change, which is in the folder, cannot be used. */
  readonly problems: readonly ShownProblem[]
  /** The tests that its change, which is in the folder, breaks. */
  readonly failures: readonly TestFailure[]
  /** The changes of the previous repair, when the problem is still there. */
  readonly useless: string | null
  readonly reflection: string
  readonly settings: Pick<Settings, 'roadmap' | 'verify' | 'agent'>
}

/** The standard input of an agent: the task and, at a repair, the problems of its change. */
export const agentPrompt = (brief: AgentBrief): string =>
  [
    rules(brief.settings),
    brief.history === null ? '' : `BEFORE\n${brief.history}`,
    describeTask(brief.task),
    brief.feedback === null ? '' : describeFeedback(brief.feedback),
    ...whatIsWrong(brief),
  ]
    .filter((section) => section !== '')
    .join('\n\n')

function rules({ roadmap, verify, agent }: AgentBrief['settings']): string {
  const { testCommand } = verify
  return [
    'The current directory holds the files of a repository. Complete the one task below by editing them.',
    'Change only what the task needs, with tests for it where the project has tests.',
    `Never edit ${roadmap}, files in .github, or lock files. Do not commit. Nobody can answer a question.`,
    ...(testCommand === null ? [] : [`Run the tests with: ${testCommand}`]),
    ...(agent.network.length === 0 ? ['There is no network, so nothing can be installed.'] : []),
    'Your files are checked and tested when you end. End with one short paragraph that says what you changed.',
  ].join('\n')
}

function whatIsWrong({ problems, failures, useless, reflection }: AgentBrief): readonly string[] {
  if (problems.length + failures.length === 0) return []
  const isBroken = problems.length > 0
  return [
    isBroken
      ? 'YOUR CHANGE, which is in these files, cannot be used yet. Fix only this:'
      : 'YOUR CHANGE, which is in these files, breaks tests. Change the code so that they pass; never change a failing test that you did not write.',
    isBroken ? showProblems(problems) : showFailures(failures),
    useless === null ? '' : tellUseless(useless),
    reflection,
  ]
}
