import type { z } from 'zod'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { verdictText } from '../../../publish/report/describe-verification.ts'
import { findChange, isPassed, runCheck } from '../documents/check.ts'
import { readContext } from '../documents/context.ts'
import { planOpenTasks } from '../documents/plan.ts'
import { readStatus } from '../documents/status.ts'
import { showCheck } from '../show-check.ts'
import { type McpCall, ToolError } from './answers.ts'
import type { tools } from './tools.ts'

type Input<Name extends keyof typeof tools> = z.output<(typeof tools)[Name]['input']>

/** `T-1 pending: Add a login page (after T-2)` */
const lineOf = (task: {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly reason: string
}): string => {
  const why = task.reason === '' ? '' : ` (${task.reason})`
  return `${task.id} ${verdictText(task.status)}: ${task.title}${why}`
}

/** The plan, with how each task stands. */
export async function answerPlan(_: Input<'plan'>, { terminal }: McpCall) {
  const read = await planOpenTasks({}, terminal)
  if (read.status === 'wrong') throw new ToolError(read.lines.join('\n'))
  const standings = read.isCommitted ? (await readStatus({}, terminal)).status.tasks : []
  const byId = new Map(standings.map((task) => [task.id, task]))
  const tasks = read.plan.tasks.map((task) => {
    const { status = 'pending', reason = '', next = '' } = byId.get(task.id) ?? {}
    return { ...task, status, reason, next }
  })
  const { tokens } = read.plan.forecast
  const lines = tasks.map(lineOf)
  const text = tasks.length === 0 ? 'No open task.' : `${lines.join('\n')}\nAbout ${tokens} tokens.`
  return { text, value: { ...read.plan, tasks } }
}

export async function answerStatus(_: Input<'status'>, { terminal }: McpCall) {
  const { status, isRunning } = await readStatus({}, terminal)
  const { run, tasks } = status
  const last = run && `${isRunning ? 'Running' : 'Last run'}: ${run.id}, ${run.state}`
  const lines = tasks.map((task) => `${lineOf(task)}${task.next === '' ? '' : `\n  ${task.next}`}`)
  return { text: [...lines, ...(last === null ? [] : [last])].join('\n'), value: status }
}

export async function answerContext({ id, include_code }: Input<'context'>, { terminal }: McpCall) {
  const read = await readContext(id, {}, terminal)
  if (read.status === 'too_large') return { text: read.why, value: read }
  const { map, files, ...value } = read
  const lines = value.parts.map(({ part, path, whole, tokens, why }) => {
    const what = path === null ? part : `${path}${whole ? '' : ' (in part)'}`
    return `${tokens} tokens: ${what}${why === '' ? '' : `, ${why}`}`
  })
  const text = [...lines, `About ${value.tokens} tokens of ${value.budgetTokens}.`].join('\n')
  if (!include_code) return { text, value }
  const code = files.map((file) => `${file.path}\n${file.text}`)
  return { text: [text, map, ...code].join('\n\n'), value: read }
}

export async function answerCheck(
  { change, patch, base, task, strict }: Input<'check'>,
  { terminal, signal }: McpCall,
) {
  if ((change === undefined) === (patch === undefined)) {
    throw new ExecutorError('bad_usage', 'Give a change or a patch: one of them.')
  }
  const name = change ?? 'patch'
  const what = { change: name, source: patch === undefined ? 'commit' : { patch } } as const
  const found = await findChange({ ...what, base, task }, terminal)
  const report = await runCheck(found, terminal, signal)
  const lines: string[] = []
  showCheck(report, { print: (line) => lines.push(line), paint: (_, text) => text })
  const passed = isPassed(report, strict)
  return { text: lines.join('\n'), value: { passed, ...report } }
}
