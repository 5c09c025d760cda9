import type {
  ModelScript,
  RecordedModelRequest,
  RequestMatch,
  ScriptedAnswer,
  ScriptedReply,
  ScriptedRule,
} from './model-script.ts'
import { requestHash } from './request-hash.ts'

/** Gives each request its answer, by the rules of `ModelScript`; `null` when there is none. */
export function createAnswerBook(
  script: ModelScript,
): (request: RecordedModelRequest) => ScriptedReply | null {
  const rules = script
    .filter(isRule)
    .map((rule) => ({ when: rule.when, next: inOrder(rule.answers, rule.usedUp ?? 'repeat') }))
  const nextBare = inOrder(
    script.filter((entry): entry is ScriptedAnswer => !isRule(entry)),
    'error',
  )
  return (request) => {
    const next = rules.find(({ when }) => matches(when, request))?.next ?? nextBare
    const answer = next()
    if (answer === undefined) return null
    const said = typeof answer === 'function' ? answer(request) : answer
    return typeof said === 'string' ? { text: said } : said
  }
}

const isRule = (entry: ScriptedAnswer | ScriptedRule): entry is ScriptedRule =>
  typeof entry === 'object' && 'when' in entry

function inOrder(
  answers: readonly ScriptedAnswer[],
  usedUp: 'repeat' | 'error',
): () => ScriptedAnswer | undefined {
  let used = 0
  return () => answers[used++] ?? (usedUp === 'repeat' ? answers.at(-1) : undefined)
}

function matches(when: RequestMatch, request: RecordedModelRequest): boolean {
  const text = request.messages.map((message) => message.content).join('\n')
  const { contains } = when
  return (
    (when.purpose === undefined || when.purpose === request.purpose) &&
    (when.model === undefined || when.model === request.model) &&
    (when.task === undefined || mentions(text, when.task)) &&
    (when.hash === undefined || when.hash === requestHash(request)) &&
    (contains === undefined ||
      (typeof contains === 'string' ? text.includes(contains) : text.search(contains) !== -1))
  )
}

/** `T-1` is not mentioned by `T-10` or `T-1.2`. */
function mentions(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + 1)) {
    const before = text.slice(0, at)
    const after = text.slice(at + id.length)
    if (!/[\w-]$/.test(before) && !/^([\w-]|\.\w)/.test(after)) return true
  }
  return false
}
