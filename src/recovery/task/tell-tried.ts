import type { Attempt } from '../../core/domain/attempt.ts'
import type { RecoveryRecord } from '../../core/domain/run-state.ts'
import { isInvestigation } from '../../core/domain/steps.ts'
import { shortenFile } from '../../model/prompts/compose-prompt.ts'
import { inOneLine, isRepair, tellRemedy, tellRepairs } from './tell-repairs.ts'

/** In characters: about 400 tokens. */
const longest = 1_600
const mostRemedies = 3
const mostProblems = 2

/**
 * What an attempt tried and why that failed, one fact a line, for the model that proposes another way; empty for
 * an attempt that wrote nothing.
 *
 * @param recoveries decisions of this run, of any task
 */
export function tellTried(attempt: Attempt, recoveries: readonly RecoveryRecord[]): string {
  const { draft, remedies, problems, broken, earlier = '', failure } = attempt
  const known = failure?.message ?? ''
  const repairs = tellRepairs(attempt)
  const others = remedies.filter((each) => !isRepair(each) && !isInvestigation(each.node))
  const files = (draft?.changes ?? []).map(({ path }) => path)
  const lines = [
    files.length === 0 ? '' : `wrote ${files.slice(0, 8).join(', ')}${rest(files.length - 8)}`,
    countRepairs(attempt),
    ...repairs,
    ...others.slice(-mostRemedies).map(tellRemedy),
    ...problems
      .slice(0, mostProblems)
      .map(({ path, line, message }) => `left: ${path}:${line} ${message}`),
    ...broken.slice(0, mostProblems).map(({ test, message }) => `fails: ${test}: ${message}`),
    ...recoveries
      .filter(({ taskId }) => taskId === attempt.task.id)
      .slice(-mostProblems)
      .map(tellProposal),
    earlier,
  ]
  const told = lines.map(inOneLine).filter((line) => line !== '' && line !== known)
  return shortenFile([...new Set(told)].join('\n'), longest)
}

const rest = (left: number): string => (left > 0 ? ` and ${left} more` : '')

function countRepairs({ validationRepairs, testRepairs }: Attempt): string {
  const parts = [
    validationRepairs > 0 ? `${validationRepairs} × before the tests` : '',
    testRepairs > 0 ? `${testRepairs} × after them` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `repaired ${parts.join(', ')}`
}

function tellProposal({ proposal, decision, by }: RecoveryRecord): string {
  const titles = proposal.tasks.map(({ title }) => `"${title}"`).join(', ')
  return `${proposal.strategy}${titles === '' ? '' : ` into ${titles}`}: ${decision} by ${by}`
}
