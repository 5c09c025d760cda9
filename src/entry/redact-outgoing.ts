import { type ChangeSet, contentAfter } from '../domain/change-set.ts'
import type { JournalEntry } from '../domain/journal-event.ts'
import type { RunState } from '../domain/run-state.ts'
import type { Ports } from '../ports.ts'
import { maskKeys } from '../safety/find-keys.ts'
import { createRedactor, createSecretMask } from '../safety/redact.ts'
import { redactForge } from './redact-forge.ts'

/**
 * The ports with every text that leaves the program passed through the redactor: pull requests,
 * comments, commit messages, reports, prompts, and what the saved state says of failures. Code is
 * not redacted, it would be a broken file: a change that brings in a secret of this run is refused.
 */
export function redactOutgoing(ports: Ports, secrets: readonly string[]): Ports {
  const redact = createRedactor(secrets)
  const maskSecrets = createSecretMask(secrets)
  const { forge, workspace, store, model } = ports
  return {
    ...ports,
    model: {
      ...model,
      complete: (request) =>
        model.complete({
          ...request,
          messages: request.messages.map((message) => ({
            ...message,
            content: maskKeys(maskSecrets(message.content)),
          })),
        }),
    },
    forge: redactForge(forge, redact),
    workspace: {
      ...workspace,
      async write(folder, changes) {
        const path = bringsSecret(changes, maskSecrets)
        if (path === null) return workspace.write(folder, changes)
        return { status: 'refused', path, reason: 'it would hold a secret of this run' }
      },
      commit: async (request) => {
        const path = bringsSecret(request.changes, maskSecrets)
        if (path !== null) throw new Error(`${path} would hold a secret of this run.`)
        return workspace.commit({ ...request, message: redact(request.message) })
      },
      park: (name, text) =>
        workspace.park(name, text === null ? null : maskParked(text, maskSecrets)),
      merge: (request) => workspace.merge({ ...request, message: redact(request.message) }),
      // A change that holds a secret could never be written: masked, it is refused as it would have been.
    },
    store: {
      ...store,
      save: (state, entries = []) =>
        store.save(
          redactState(state, redact),
          entries.map((entry) => redactEntry(entry, redact)),
        ),
      record: (run, entries) =>
        store.record(
          run,
          entries.map((entry) => redactEntry(entry, redact)),
        ),
      writeReport: (name, text) => store.writeReport(name, redact(text)),
    },
  }
}

/** The first path whose new text has a secret that its old one does not have. */
function bringsSecret(changes: ChangeSet, maskSecrets: (text: string) => string): string | null {
  const hasSecret = (text: string) => maskSecrets(text) !== text
  const found = changes.find((change) => {
    const before = change.action === 'create' ? '' : change.before
    return hasSecret(contentAfter(change) ?? '') && !hasSecret(before)
  })
  return found?.path ?? null
}

/** Parked texts are JSON, and must be it afterwards: each string by itself, so that no quote is lost. */
function maskParked(text: string, mask: (text: string) => string): string {
  if (mask(text) === text) return text
  let parked: unknown
  try {
    parked = JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? mask(value) : value,
    )
  } catch {
    return mask(text)
  }
  return JSON.stringify(parked)
}

/** An answer that had to be masked is not what was answered any more. */
function redactEntry(entry: JournalEntry, redact: (text: string) => string): JournalEntry {
  const masked = mapTexts(entry, redact)
  const isSame =
    entry.kind !== 'answered' || masked.kind !== 'answered' || masked.text === entry.text
  return isSame ? masked : { ...masked, exact: false }
}

/** The same value with each text in it replaced; what is no text stays. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    typeof part === 'string' ? change(part) : part,
  )
}

/** What others said ended up in these; the rest are facts, and code that must stay as it is. */
function redactState(state: RunState, redact: (text: string) => string): RunState {
  const { attempt, errors } = state
  const failure = attempt?.failure ?? null
  return {
    ...state,
    errors: errors.map((error) => ({ ...error, message: redact(error.message) })),
    attempt:
      attempt === null || failure === null
        ? attempt
        : {
            ...attempt,
            failure: {
              ...failure,
              message: redact(failure.message),
              output: redact(failure.output),
            },
          },
  }
}
