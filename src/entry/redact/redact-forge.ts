import type { Discussion } from '../../core/ports/discussion.ts'
import type { Forge } from '../../core/ports/forge.ts'
import { createRedactor } from '../../text/secrets/redact.ts'
import { boundMarkdown } from '../../text/words/bound-text.ts'
import { maskArguments, maskOfData } from './mask-arguments.ts'

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
export function redactForge(forge: Forge, secrets: readonly string[]): Forge {
  const redact = createRedactor(secrets)
  return {
    ...maskArguments(forge, maskOfData(secrets)),
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
  const redact = createRedactor(secrets)
  return {
    ...maskArguments(discussion, maskOfData(secrets)),
    answer: (ref, marker, body) => discussion.answer(ref, marker, bodyAfter(redact, marker, body)),
  }
}
