import {
  applyCuts,
  charactersPerToken,
  hiddenCharacters,
  terminalText,
} from '../../../packages/text/text.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { NodeName } from '../../core/domain/steps.ts'
import type { CallPiece, WatchedCall } from '../observe/watch-ports.ts'
import {
  countLive,
  describeCall,
  describeInside,
  describeLiveCounts,
  describeStep,
  formatSeconds,
} from './describe-activity.ts'

/** The work of a run at a point in time. */
export interface Activity {
  /** `T-1 running the tests (npm test)`. */
  readonly label: string
  /** `12 s`, `340 tokens`, `28 tokens/s`; the seconds come first. */
  readonly figures: readonly string[]
  /** The last line of a command's output; empty when there is none. */
  readonly output: string
}

/** Follows the steps and calls of a run; times are seconds of one clock. */
interface FollowedRun {
  beginStep(node: NodeName, state: RunState, at: number): void
  endStep(at: number): void
  beginCall(call: WatchedCall, at: number): FollowedCall
  endCall(call: FollowedCall): void
  /** True between two steps. */
  isIdle(): boolean
  /** `null` while a person answers a question: then only the question is visible. */
  activity(at: number): Activity | null
}

export function followRun(redact: (text: string) => string, began: number): FollowedRun {
  const calls = new Set<FollowedCall>()
  const ready = 'getting ready'
  let step = { task: '', words: ready, began }
  /** The oldest call of this kind: tests start before the commands that check those tests. */
  const first = (kind: WatchedCall['kind']): FollowedCall | undefined =>
    [...calls].find(({ call }) => call.kind === kind)
  return {
    beginStep(node, state, at) {
      const id = state.attempt?.task.id
      step = { task: id === undefined ? '' : `${id} `, words: describeStep(node, state), began: at }
    },
    endStep(at) {
      step = { task: '', words: ready, began: at }
    },
    isIdle: () => step.words === ready,
    beginCall(call, at) {
      const follow = call.kind === 'model' ? followModel : followCommand
      const followed = follow(call, at, redact)
      calls.add(followed)
      return followed
    },
    endCall: (call) => void calls.delete(call),
    activity(at) {
      if (first('person') !== undefined) return null
      const command = first('command')
      const installer = command?.call.name.endsWith('prepare_dependencies') ? command : undefined
      const own = first('model') ?? installer
      if (own !== undefined) {
        const figures = [formatSeconds(at - own.began), ...own.figures(at)]
        return { label: step.task + describeCall(own.call), figures, output: own.lastLine(at) }
      }
      const figures = [formatSeconds(at - step.began), ...(command?.figures(at) ?? [])]
      const call = command ?? first('git') ?? first('forge')
      const isOutside = step.words === ready && command !== undefined
      const words = isOutside ? 'running the tests' : step.words
      const label = `${step.task}${words}${call === undefined ? '' : describeInside(call.call)}`
      return { label, figures, output: command?.lastLine(at) ?? '' }
    },
  }
}

/** A running call and its progress; times are seconds of one clock. */
interface FollowedCall {
  readonly call: WatchedCall
  readonly began: number
  heard(piece: CallPiece, at: number): void
  /** Figures other than the seconds. */
  figures(at: number): readonly string[]
  /** The last line of its output; empty when there is none. */
  lastLine(at: number): string
  /** The end of its output, redacted. */
  output(): string
}

/** A rate means nothing before this many seconds. */
const leastForRate = 1

/** A server that reads the prompt in less is not slow. */
const leastForReading = 3

const longestReason = 100

/** Follows a model request: how many tokens have arrived, and how fast. */
function followModel(
  call: WatchedCall,
  began: number,
  redact: (text: string) => string,
): FollowedCall {
  let characters = 0
  let askedAt = began
  let firstAt: number | null = null
  let reading: Extract<CallPiece, { kind: 'reading' }> | null = null
  let retry: { readonly at: number; readonly reason: string } | null = null
  return {
    ...{ call, began },
    heard(piece, at) {
      if (piece.kind === 'retrying') {
        const reason = redact(piece.reason).replace(/\s+/g, ' ').slice(0, longestReason)
        retry = { at: at + piece.seconds, reason }
        firstAt = null
        reading = null
      } else if (piece.kind === 'reading') {
        retry = null
        reading = piece
        askedAt = at
      } else if (piece.kind === 'received') {
        retry = null
        if (piece.characters > characters) reading = null
        if (piece.characters > 0) firstAt ??= at
        characters = piece.characters
      }
    },
    figures(at) {
      if (retry !== null)
        return [`next try in ${formatSeconds(Math.ceil(retry.at - at))} (${retry.reason})`]
      if (reading !== null && at - askedAt >= leastForReading) return describeReading(reading)
      if (characters === 0 || firstAt === null) return []
      const tokens = Math.ceil(characters / charactersPerToken)
      const seconds = at - firstAt
      const rate = seconds < leastForRate ? [] : [`${Math.round(tokens / seconds)} tokens/s`]
      return [tokens === 1 ? '1 token' : `${tokens.toLocaleString('en')} tokens`, ...rate]
    },
    lastLine: () => '',
    output: () => '',
  }
}

const describeReading = ({
  tokens,
  seconds,
}: Extract<CallPiece, { kind: 'reading' }>): readonly string[] => [
  `reading the prompt: ${tokens.toLocaleString('en')} tokens`,
  ...(seconds === null ? [] : [`about ${formatSeconds(Math.ceil(seconds / 5) * 5)}`]),
]

/** Follows a command or any other call: its test counts and the last line of its output. */
function followCommand(
  call: WatchedCall,
  began: number,
  redact: (text: string) => string,
): FollowedCall {
  const streams = {
    stdout: { decoder: new TextDecoder(), tail: keepTail(redact), counter: countLive() },
    stderr: { decoder: new TextDecoder(), tail: keepTail(redact), counter: countLive() },
  }
  let last = streams.stdout
  return {
    ...{ call, began },
    heard(piece, at) {
      if (piece.kind !== 'output') return
      last = streams[piece.from]
      const text = last.decoder.decode(piece.piece, { stream: true })
      last.tail.add(text, at)
      last.counter.add(text)
    },
    figures() {
      const counts = streams.stdout.counter.counts() ?? streams.stderr.counter.counts()
      return counts === null ? [] : [describeLiveCounts(counts)]
    },
    lastLine: (at) => last.tail.lastLine(at),
    output: () => `${streams.stdout.tail.text()}\n${streams.stderr.tail.text()}`,
  }
}

/** Characters kept of an output; a multi-line secret is recognized while it fits in here. */
const kept = 8_192

/** Characters shown of a line; terminals are narrower. */
const longest = 400

/** The sequence with which some programs return to the first column to redraw a line. */
const toFirstColumn = /\u001B\[[01]?G/g

/** After this many seconds of silence, a line without a line feed counts as complete: a cut line continues at once. */
const settled = 0.5

/** The end of a running command's output, safe to show to people. */
interface OutputTail {
  add(text: string, at: number): void
  /** The last line with any words; empty when there is none. */
  lastLine(at: number): string
  /** The whole tail. */
  text(): string
}

export function keepTail(redact: (text: string) => string): OutputTail {
  let raw = ''
  let isCut = false
  let heardAt = Number.NEGATIVE_INFINITY
  let known = { raw: '', isWhole: true, line: '' }
  // Hidden characters could keep the redactor from finding a secret that a person would read.
  const clean = (text: string) => {
    const lines = text.replaceAll(toFirstColumn, '\r')
    const shown = terminalText(isCut ? withoutFirstLine(lines) : lines)
    return redact(applyCuts(shown, hiddenCharacters(shown)).text)
  }
  return {
    add(text, at) {
      isCut ||= raw.length + text.length > kept
      raw = (raw + text.slice(-kept)).slice(-kept)
      heardAt = at
    },
    lastLine(at) {
      const isWhole = at - heardAt >= settled
      if (known.raw === raw && known.isWhole === isWhole) return known.line
      const lines = clean(raw).split('\n')
      const whole = isWhole ? lines : lines.slice(0, -1)
      const line = whole.findLast((each) => /[^\s{}[\]|/\\-]/.test(each)) ?? ''
      known = { raw, isWhole, line: line.replace(/\s+/g, ' ').trim().slice(0, longest) }
      return known.line
    },
    text: () => clean(raw),
  }
}

/** The redactor does not recognize the rest of a secret whose beginning was cut off. */
function withoutFirstLine(text: string): string {
  const end = text.search(/[\r\n]/)
  return end === -1 ? '' : text.slice(end)
}
