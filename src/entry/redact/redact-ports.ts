import {
  boundMarkdown,
  boundText,
  createDataMask,
  createRedactor,
  createSecretMask,
} from '../../../packages/text/text.ts'
import { changeState } from '../../core/domain/change-state.ts'
import type { JournalEntry } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { CheckRuns } from '../../core/ports/check-runs.ts'
import type { Discussion } from '../../core/ports/discussion.ts'
import type { Forge } from '../../core/ports/forge.ts'
import type { Store } from '../../core/ports/store.ts'

/** Masking shorter values, such as the key `none` of a local server, would destroy words in data. */
const shortestInData = 8

/** The secrets that can be masked in data, not only in prose. */
const secretsInData = (secrets: readonly string[]): readonly string[] =>
  secrets.filter(({ length }) => length >= shortestInData)

export type Masks = ReturnType<typeof masksOf>

export const masksOf = (secrets: readonly string[]) => ({
  /** For prose: masks secrets and anything shaped like one. */
  redact: createRedactor(secrets),
  secret: createSecretMask(secrets),
  /** For names, ids and commands: masks registered secrets only, whatever the shape of other values. */
  data: createDataMask(createSecretMask(secretsInData(secrets))),
})

/**
 * The port with every string in its arguments masked. `stays` lists methods whose arguments stay inside; a new method
 * is therefore masked.
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

/** Code, and code shown to the model: it is read again and written to files, so only secrets are masked. */
const code: ReadonlySet<string> = new Set<keyof NonNullable<RunState['attempt']>>([
  'context',
  'draft',
  'loop',
  'map',
])

/** The store with each stored string masked, in its original structure. */
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
        changeState(text(withoutAttempts(state)), {
          attempt: state.attempt && attempt(state.attempt),
          ...(state.lanes && {
            lanes: state.lanes.map((lane) => ({ ...lane, attempt: attempt(lane.attempt) })),
          }),
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

const withoutAttempts = (state: RunState): RunState =>
  changeState(state, {
    attempt: null,
    ...(state.lanes && { lanes: [] }),
    tasks: { parked: {} },
  })

/** A masked answer is no longer the exact answer. */
function exactOrNot(masked: JournalEntry, entry: JournalEntry): JournalEntry {
  if (masked.kind !== 'answered' || entry.kind !== 'answered') return masked
  return masked.text === entry.text ? masked : { ...masked, exact: false }
}

/** Redacts a report in Markdown, HTML or JSON; JSON stays valid. */
export function redactReport(name: string, text: string, redact: (text: string) => string): string {
  const clean = redact(text)
  if (clean === text || !name.endsWith('.json')) return clean
  return JSON.stringify(createDataMask(redact)(JSON.parse(text)), null, 2)
}

/** GitHub's limits for a title and a body, in characters. */
const longestTitle = 256
const longestBody = 65_536

type Redact = (text: string) => string

/** Leaves room for the marker before the text. */
const bodyAfter = (redact: Redact, marker: string, body: string): string =>
  boundMarkdown(redact(body), longestBody - marker.length - 2)

const titleOf = (redact: Redact, title: string): string =>
  redact(title).slice(0, longestTitle).toWellFormed()

/** The forge with every outgoing text redacted and cut to GitHub's limits. */
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

/** GitHub allows a check run's summary 65,535 characters, and an annotation's message 64 KB. */
const longestSummary = 65_535
const longestMessage = 16_000

/** The same for check runs. */
export function redactCheckRuns(checkRuns: CheckRuns, secrets: readonly string[]): CheckRuns {
  const { redact, data } = masksOf(secrets)
  return {
    upsert: (draft) =>
      checkRuns.upsert({
        ...draft,
        title: titleOf(redact, draft.title),
        summary: boundMarkdown(redact(draft.summary), longestSummary),
        annotations: draft.annotations.map((annotation) => ({
          ...data(annotation),
          message: boundText(redact(annotation.message), longestMessage),
        })),
      }),
  }
}

/** The same for answers. */
export function redactDiscussion(discussion: Discussion, secrets: readonly string[]): Discussion {
  const { redact, data } = masksOf(secrets)
  return {
    ...maskArguments(discussion, data),
    answer: (ref, marker, body) => discussion.answer(ref, marker, bodyAfter(redact, marker, body)),
  }
}

/** Shorter values are ordinary words: a self-hosted server may have the key `none`. */
const shortestSecret = 8

/** Returns true for `postgres` or `my-test-key`: the password of a workflow's database is also all over the code. */
const isWord = (value: string): boolean =>
  value.length < 24 && /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)(?:[ _-][A-Za-z]+){0,3}$/.test(value)

/** Variables whose name says that they hold a secret, and not where one is. */
const secretName =
  /(?:KEY|TOKEN|SECRET|PASSWD|PASSPHRASE|CREDENTIALS?|[_-](?:PASS|PAT))(?:_?\d+)?$|PASSWORD|(?:^|[_-])(?:TOKEN|SECRET)[_-]/i
const nameOfPlace = /[_-](?:FILE|PATH|DIR|URL|NAME|ID)$/i

/** The secrets in the environment, by the names of variables, which include an Action's inputs. */
export const secretsOfEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  Object.entries(environment).flatMap(([name, value]) =>
    secretName.test(name) &&
    !nameOfPlace.test(name) &&
    value !== undefined &&
    value.length >= shortestSecret &&
    !isWord(value)
      ? [value]
      : [],
  )
