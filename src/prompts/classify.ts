import type { Failure, FailureReason } from '../domain/run-state.ts'
import type { Task } from '../domain/task.ts'
import type { Message } from '../ports.ts'
import { describeTask } from './draft.ts'
import { readJsonObject } from './read-json.ts'
import { shorten } from './show-files.ts'

const reasons: readonly FailureReason[] = [
  'task_too_vague',
  'task_too_complex',
  'missing_dependency',
  'environment_issue',
  'unknown',
]

const instructions = `An automatic attempt at a task failed. Say why. Reply with one JSON object and nothing else:
{"reason": "task_too_vague" | "task_too_complex" | "missing_dependency" | "environment_issue" | "unknown", "explanation": "one sentence with the evidence"}`

export function classifyPrompt(task: Task, failure: Failure): readonly Message[] {
  const problems = failure.problems.slice(0, 5).map((p) => `${p.path}:${p.line} ${p.message}`)
  const tests = failure.failures.slice(0, 5).map((f) => `${f.test}: ${shorten(f.message, 300)}`)
  const evidence = [failure.message, ...problems, ...tests, shorten(failure.output, 1_500)]
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: `${describeTask(task)}\n\nWHAT HAPPENED\n${evidence.join('\n')}` },
  ]
}

/** `null` when the answer names none of the reasons. */
export function readClassification(
  answer: string,
): { readonly reason: FailureReason; readonly explanation: string } | null {
  const value = readJsonObject(answer)
  const reason = reasons.find((known) => known === value?.reason)
  if (reason === undefined || typeof value?.explanation !== 'string') return null
  return { reason, explanation: shorten(value.explanation.trim(), 400) }
}
