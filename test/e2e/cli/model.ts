import type {
  RecordedModelRequest,
  ScriptedReply,
} from '../../../packages/github-simulator/model/model-script.ts'
import {
  type ModelServerOptions,
  startModelServer,
} from '../../../packages/github-simulator/model/start-model-server.ts'
import type { Variables } from './bench.ts'

/** Text alone, or with what must stand in the request to get it, what happens before it comes, or a fault. */
type Answer =
  | string
  | (ScriptedReply & { readonly ifTold?: RegExp; readonly meanwhile?: () => void })

/** By purpose and task, `draft T-1`: what is said to the first such request, the second, … */
export type Answers = Readonly<Record<string, readonly Answer[]>>

export interface Model extends AsyncDisposable {
  /** What a child process must know to ask it. */
  readonly variables: Variables
  /** Purpose and task of each request so far, `draft T-1`. */
  asked(): readonly string[]
  /** All that was said to it, request by request. */
  told(): readonly string[]
  /** Tokens that the answers so far said they took; slow ones left out, which nobody waits for. */
  tokens(): number
  /** Resolves when this was asked so often. */
  whenAsked(key: string, times?: number): Promise<void>
}

/** A scripted model; a request that no answer is left for is refused, which ends a run with code 2. */
export async function startModel(
  answers: Answers,
  quirks: ModelServerOptions['quirks'] = {},
): Promise<Model> {
  const left = new Map(Object.entries(answers).map(([key, list]) => [key, [...list]]))
  let tokens = 0
  const asked: string[] = []
  const told: string[] = []
  const waiting = new Set<() => void>()
  const answer = (request: RecordedModelRequest): ScriptedReply => {
    const key = keyOf(request)
    asked.push(key)
    told.push(textOf(request))
    for (const check of waiting) check()
    const next = left.get(key)?.shift()
    if (next === undefined) {
      return { fault: { kind: 'status', status: 400, message: `no answer is left for ${key}` } }
    }
    const {
      ifTold = /(?:)/,
      meanwhile = () => {},
      ...reply
    } = typeof next === 'string' ? { text: next } : next
    meanwhile()
    if (!ifTold.test(textOf(request))) {
      return { fault: { kind: 'status', status: 400, message: `${key} does not say ${ifTold}` } }
    }
    if (reply.fault !== undefined) return reply
    const usage = reply.usage ?? {
      promptTokens: request.promptTokens,
      completionTokens: Math.ceil((reply.text ?? '').length / 3),
    }
    tokens += usage.promptTokens + usage.completionTokens
    return { ...reply, usage }
  }
  const server = await startModelServer({ script: [{ when: {}, answers: [answer] }], quirks })
  return {
    variables: {
      OPENAI_BASE_URL: server.url,
      OPENAI_API_KEY: 'a-key-for-loopback',
      OPENAI_MODEL: 'scripted',
    },
    asked: () => [...asked],
    told: () => [...told],
    tokens: () => tokens,
    whenAsked: (key, times = 1) =>
      new Promise((resolve) => {
        const check = () => {
          if (asked.filter((each) => each === key).length >= times) resolve()
        }
        waiting.add(check)
        check()
      }),
    [Symbol.asyncDispose]: () => server.close(),
  }
}

const textOf = ({ messages }: RecordedModelRequest): string =>
  messages.map(({ content }) => content).join('\n')

function keyOf(request: RecordedModelRequest): string {
  const task = /\btask (T-[\w.-]+?)(?=[:\s])/i.exec(textOf(request))?.[1]
  return `${request.purpose} ${task}`
}

/** A whole file, as the model is asked to write it. */
export const file = (path: string, content: string): string => `${path}\n\`\`\`\n${content}\`\`\`\n`

/** One edit of a file that is there. */
export const edit = (path: string, search: string, replace: string): string =>
  file(path, `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`)
