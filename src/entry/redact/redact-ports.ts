import { changeState } from '../../core/domain/change-state.ts'
import type { JournalEntry } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Discussion } from '../../core/ports/discussion.ts'
import type { Forge } from '../../core/ports/forge.ts'
import type { Store } from '../../core/ports/store.ts'
import { createDataMask } from '../../text/secrets/mask-data.ts'
import { createRedactor, createSecretMask } from '../../text/secrets/redact.ts'
import { boundMarkdown } from '../../text/words/bound-text.ts'

/** In data that is read again, a shorter value would blot out words: a server of one's own may ask for `none`. */
const shortestInData = 8

/** Those that can be masked in data, not only in prose. */
const secretsInData = (secrets: readonly string[]): readonly string[] =>
  secrets.filter(({ length }) => length >= shortestInData)

export type Masks = ReturnType<typeof masksOf>

export const masksOf = (secrets: readonly string[]) => ({
  /** For prose: secrets, and what looks like one. */
  redact: createRedactor(secrets),
  secret: createSecretMask(secrets),
  /** For names, ids and commands: what is registered is masked, and no shape is guessed. */
  data: createDataMask(createSecretMask(secretsInData(secrets))),
})

/**
 * The port, with every string that its methods are given masked. `stays` names those whose arguments
 * go nowhere; a method that is new, and so not named, is masked.
 */
export function maskArguments<Port extends object>(
  port: Port,
  mask: <Data>(data: Data) => Data,
  stays: readonly (keyof Port & string)[] = [],
): Port {
  const names: readonly string[] = stays
  const masked = Object.entries(port).map(([name, member]: [string, unknown]) =>
    typeof member === 'function' && !names.includes(name)
      ? [name, (...given: readonly unknown[]): unknown => Reflect.apply(member, port, mask(given))]
      : [name, member],
  )
  return Object.fromEntries(masked) as Port
}

/** Code and what a model was shown of it: read again, and written to files. Of these, only secrets are masked. */
const code: ReadonlySet<string> = new Set<keyof NonNullable<RunState['attempt']>>([
  'context',
  'draft',
  'map',
])

/** The store with each string that it keeps masked, and what is kept still readable as what it was. */
export function redactStore(store: Store, secrets: readonly string[]): Store {
  const long = secretsInData(secrets)
  const remembers = { remembers: true }
  const text = createDataMask(createRedactor(long), remembers)
  const secret = createDataMask(createSecretMask(long), remembers)
  const attempt = <Kept extends object>(kept: Kept): Kept =>
    Object.fromEntries(
      Object.entries(kept).map(([key, value]) => [key, (code.has(key) ? secret : text)(value)]),
    ) as Kept
  return {
    ...store,
    save: (state, entries = []) =>
      store.save(
        changeState(text(changeState(state, { attempt: null, tasks: { parked: {} } })), {
          attempt: state.attempt && attempt(state.attempt),
          tasks: {
            parked: Object.fromEntries(
              Object.entries(state.tasks.parked).map(([id, kept]) => [secret(id), attempt(kept)]),
            ),
          },
        }),
        entries.map((entry) => exactOrNot(text(entry), entry)),
      ),
    record: (run, entries) =>
      store.record(
        run,
        entries.map((entry) => exactOrNot(text(entry), entry)),
      ),
  }
}

/** An answer that had to be masked is not what was answered any more. */
function exactOrNot(masked: JournalEntry, entry: JournalEntry): JournalEntry {
  if (masked.kind !== 'answered' || entry.kind !== 'answered') return masked
  return masked.text === entry.text ? masked : { ...masked, exact: false }
}

/** A report as Markdown, HTML or JSON; JSON stays what it is. */
export function redactReport(name: string, text: string, redact: (text: string) => string): string {
  const clean = redact(text)
  if (clean === text || !name.endsWith('.json')) return clean
  return JSON.stringify(createDataMask(redact)(JSON.parse(text)), null, 2)
}

/** What GitHub takes for a title and a body, in characters. */
const longestTitle = 256
const longestBody = 65_536

type Redact = (text: string) => string

/** Room for the marker that is put before a text. */
const bodyAfter = (redact: Redact, marker: string, body: string): string =>
  boundMarkdown(redact(body), longestBody - marker.length - 2)

const titleOf = (redact: Redact, title: string): string =>
  redact(title).slice(0, longestTitle).toWellFormed()

/** The forge with every text that goes there passed through the redactor, in lengths that GitHub takes. */
export function redactForge(forge: Forge, { redact, data }: Masks): Forge {
  return {
    ...maskArguments(forge, data),
    upsertPullRequest: (draft) =>
      forge.upsertPullRequest({
        ...draft,
        title: titleOf(redact, draft.title),
        body: boundMarkdown(redact(draft.body), longestBody),
      }),
    upsertComment: (number, marker, body) =>
      forge.upsertComment(number, marker, bodyAfter(redact, marker, body)),
    upsertReviewComment: (number, draft) =>
      forge.upsertReviewComment(number, {
        ...draft,
        body: bodyAfter(redact, draft.marker, draft.body),
      }),
    upsertIssue: (draft) =>
      forge.upsertIssue({
        ...draft,
        title: titleOf(redact, draft.title),
        body: bodyAfter(redact, draft.marker, draft.body),
      }),
  }
}

/** The same for what is answered. */
export function redactDiscussion(discussion: Discussion, secrets: readonly string[]): Discussion {
  const { redact, data } = masksOf(secrets)
  return {
    ...maskArguments(discussion, data),
    answer: (ref, marker, body) => discussion.answer(ref, marker, bodyAfter(redact, marker, body)),
  }
}
