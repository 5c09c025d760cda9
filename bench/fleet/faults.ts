import type { FaultEffect } from '../../packages/github-simulator/github/faults.ts'
import type { GitHubServer } from '../../packages/github-simulator/github/server.ts'
import type { ScriptedReply } from '../../packages/github-simulator/model/model-script.ts'

const effects: readonly FaultEffect[] = [
  { kind: 'status', status: 502, when: 'after' },
  { kind: 'drop', when: 'after' },
  { kind: 'status', status: 503, when: 'before' },
  { kind: 'secondary_limit', retryAfter: '1' },
  { kind: 'drop', when: 'before' },
  { kind: 'delay', seconds: 1 },
]

/** One request in this many meets a fault. */
const every = 20

/** Faults of new pull requests and new comments, spread over all tasks. */
export function addFaults({ faults }: Pick<GitHubServer, 'faults'>, tasks: number): void {
  const paths = [
    '/repos/{owner}/{repo}/pulls',
    '/repos/{owner}/{repo}/issues/{issue_number}/comments',
  ]
  for (const path of paths) {
    for (let number = 0; number * every < tasks; number += 1) {
      const effect = effects[number % effects.length]
      if (effect !== undefined) faults.add({ method: 'POST', path, skip: number * every, effect })
    }
  }
}

/** Each tenth answer of the model fails. */
export function answerWithFaults(): () => ScriptedReply {
  let asked = 0
  return () => {
    asked += 1
    if (asked % 20 === 0) return { text: 'ok', fault: { kind: 'drop' } }
    return asked % 10 === 0
      ? { text: 'ok', fault: { kind: 'status', status: 500 } }
      : { text: 'ok' }
  }
}
