import type { z } from 'zod'
import { findRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { totalTokens } from '../../../core/domain/usage.ts'
import { howToGoOn } from '../../../model/budget/run-limits.ts'
import { nextStep } from '../../../publish/report/describe-verification.ts'
import { writeTerminalQuestion } from '../../../publish/report/write-terminal-question.ts'
import { exitCodeOf } from '../../../runs/run-results.ts'
import { findApiKey } from '../../compose/compose.ts'
import { settingsInRepository } from '../../config/resolve-in-repository.ts'
import { describeResult } from '../../observe/describe-step.ts'
import { inLog, openProgress } from '../../progress/open-progress.ts'
import { runInProcess } from '../../run-in-process.ts'
import { howToAnswer } from '../describe-tasks.ts'
import { type McpCall, ToolError } from './answers.ts'
import type { tools } from './tools.ts'

type Given = z.output<typeof tools.run_task.input>

/** Works on one task. As at a terminal, proposals wait for a person; no one can answer here. */
export async function answerRunTask(given: Given, { terminal, signal, heard }: McpCall) {
  const { id } = given
  const { environment } = terminal
  const repository = await findRepository(terminal.directory)
  const settings = lower(
    await settingsInRepository(repository.root, {
      ...{ flags: {}, environment, approvalMode: 'interactive' },
    }),
    given,
  )
  if (!settings.enabled) throw new ExecutorError('switched_off')
  const apiKey = findApiKey(settings, environment)
  const { state, report, reportPath } = await runInProcess({
    ...{ repository, settings, apiKey, signal, task: [id], isTTY: false },
    progress: openProgress(inLog(heard), settings, 'one task'),
  })
  if (exitCodeOf(state) === 2) {
    const errors = state.record.errors.map(({ message, next }) => `${message}\nnext: ${next}`)
    throw new ToolError(errors.join('\n'))
  }
  const found = report.tasks.find((task) => task.id === id)
  const { outcome = null, reason = '', branch = null, sha = null } = found ?? {}
  const { stopped, limits } = state.progress
  const approval = questionOf(state, id)
  const next = approval?.how ?? nextOf(state, id)
  const result = state.tasks.results[id]
  const lines = [
    result === undefined ? `${id} has no result yet.` : describeResult(result),
    ...limits.map((limit) => `limit: ${limit}`),
    ...(approval === null ? [] : ['Needs approval by a person:', approval.question]),
    ...(next === '' ? [] : [`next: ${next}`]),
  ]
  return {
    text: lines.join('\n'),
    value: {
      ...{ task: id, outcome, reason, branch, sha, approval, stopped, limits: [...limits], next },
      ...{ tokens: totalTokens(report.usage), cost: report.cost },
      ...{ seconds: report.durationSeconds, report: reportPath },
    },
  }
}

/** The settings with the lower limit of each pair. */
function lower(settings: Settings, { max_tokens, max_cost }: Given): Settings {
  const { tokens, dollars } = settings.limits
  const limits = { tokens: lowest(tokens, max_tokens), dollars: lowest(dollars, max_cost) }
  return { ...settings, limits: { ...settings.limits, ...limits } }
}

const lowest = (own: number | null, asked: number | undefined): number | null =>
  asked === undefined ? own : Math.min(own ?? asked, asked)

/** What a person is asked about the task; `null` when nothing waits. */
function questionOf({ tasks }: RunState, id: string) {
  const parked = tasks.parked[id]
  if (parked === undefined) return null
  return { question: writeTerminalQuestion(parked), how: howToAnswer(id, tasks) }
}

/** What the client can do next; empty when nothing is left to do. */
function nextOf({ tasks, progress, roadmap }: RunState, id: string): string {
  if (progress.stopped === 'cancelled') return 'Call run_task again to resume.'
  const result = tasks.results[id]
  if (result === undefined) {
    return howToGoOn(progress.limits) ?? `status shows how ${id} stands in ${roadmap.path}.`
  }
  const { verdict, branch, pullRequest } = result
  const review = `Review it: git log --stat ${roadmap.base.branch}..${branch}`
  return howToGoOn(progress.limits) ?? (nextStep(verdict, pullRequest) || (branch ? review : ''))
}
