import { charactersPerToken } from '../../../packages/text/text.ts'
import type { CallPiece, WatchedCall } from '../observe/watch-ports.ts'
import { countLive } from './count-live.ts'
import { describeLiveCounts, formatSeconds } from './describe-activity.ts'
import { keepTail } from './output-tail.ts'

/** A running call and its progress; times are seconds of one clock. */
export interface FollowedCall {
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
export function followModel(
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
export function followCommand(
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
