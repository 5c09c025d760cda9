import type { EndState } from '../end-state.ts'
import type { ModelOfWork } from './scripted-work.ts'

/** A process that has ended. */
export interface Ended {
  /** -1 when a signal ended it. */
  readonly code: number
  readonly said: string
  /** What it asked of GitHub and of the model, in order: `POST /repos/…`, `model draft T-1`. */
  readonly requests: readonly string[]
  /** What it asked of git and wrote to files, where that was counted. */
  readonly calls: Calls
  readonly milliseconds: number
}

export interface Calls {
  /** `update-ref` */
  readonly git: readonly string[]
  /** `rename PROJECT/.executor/state.json.UUID` */
  readonly files: readonly string[]
}

/** One that runs. */
export interface Started {
  readonly ended: Promise<Ended>
  /** Resolves when it has printed this; never, when it ends before. */
  said(words: string): Promise<void>
  /** As GitHub cancels a job: SIGINT, after 7.5 s SIGTERM, after 2.5 s more SIGKILL. */
  cancel(): void
  /** SIGKILL; of the Action with its machine, and nobody there speaks to GitHub any more. */
  vanish(): void
}

/** Everything that outlives a process of the program. */
export interface ProcessWorld extends AsyncDisposable {
  readonly model: ModelOfWork
  /** The next process; of the Action on a machine that has nothing of those before. */
  start(): Started
  endOf(): Promise<EndState>
  /** Answers of the model that the next process can find. */
  recorded(): Promise<number>
}

/** Nor what a clock or an account says: a run that was begun twice took longer. */
export const withoutFigures =
  (plain: (text: string) => string): ((text: string) => string) =>
  (text) =>
    plain(text)
      .replaceAll(/\b[\d,.]+ (?:s|ms|min)\b/g, 'SOME TIME')
      .replaceAll(/\b[\d,.]+ (tokens|requests?)\b/g, 'SOME $1')
