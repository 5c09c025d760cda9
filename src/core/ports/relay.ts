import { ExecutorError } from '../domain/errors.ts'
import type { Usage } from '../domain/usage.ts'

/** What a program's request to the model takes, in tokens. */
export interface RelaySize {
  readonly promptTokens: number
  readonly maxOutputTokens: number
}

/** How a request ended, with what it used. */
export interface RelayedRequest {
  /** HTTP status; 0 where the endpoint did not answer. */
  readonly status: number
  readonly usage: Usage
  readonly seconds: number
}

export type Admission =
  | {
      readonly status: 'admitted'
      /** The model that answers, whatever the program asked for. */
      readonly model: string
      readonly maxOutputTokens: number
      /** Books the request; called exactly once. */
      settle(ended: RelayedRequest): Promise<void>
    }
  /** No budget is left: the program ends. */
  | { readonly status: 'over_budget'; readonly reason: string }

/** Decides about each request of a program. */
export type Admit = (size: RelaySize) => Promise<Admission>

/** Why the endpoint did not answer the program's last request. */
export interface RelayFailure {
  /** HTTP status; 0 where it cannot be reached. */
  readonly status: number
  readonly reason: string
}

/** An open way to the model for one program. */
export interface OpenRelay {
  /** On the loopback of this machine. */
  readonly port: number
  /** Where the program finds the model, and the word that opens the relay: never the key. */
  readonly env: Readonly<Record<string, string>>
  /** Settings of known programs, by path in the home. */
  readonly homeFiles: Readonly<Record<string, string>>
  /** Aborts when the budget does not allow a request, or when the run is cancelled. */
  readonly signal: AbortSignal
  /** The reason of the refused request; `null` while all were within the budget. */
  overBudget(): string | null
  /** `null` once a later request was answered. */
  failure(): RelayFailure | null
  /** Waits until all requests are booked. */
  close(): Promise<void>
}

/**
 * Lets a program that must not have the key talk to the model, in the form of Chat Completions, Responses or Anthropic's
 * Messages.
 */
export interface Relay {
  open(model: string, admit: Admit): Promise<OpenRelay>
}

/** Where no program may talk to a model. */
export const noRelay = (reason: string): Relay => ({
  open: async () => {
    throw new ExecutorError('model_rejected', reason)
  },
})
