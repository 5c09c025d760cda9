import { type ChangeSet, changesBetween, type Draft } from '../../../packages/change/change.ts'
import { readDraft } from '../../../packages/judge/judge.ts'
import type { MemberChanges } from '../../core/domain/attempt.ts'

/**
 * Finds which changes of an answer about several tasks belong to which: the answer begins those of each task with a
 * line of its id, `## T-1`. Checks that claim: reads the parts one after another, each on what those before it left,
 * and accepts them only if together they are the draft. `null` for an answer that cannot be told apart.
 */
export async function attributeReply(
  answer: string,
  ids: readonly string[],
  draft: Draft,
  around: Pick<Parameters<typeof readDraft>[1], 'task' | 'paths' | 'read'>,
): Promise<readonly MemberChanges[] | null> {
  const parts = splitReply(answer, ids)
  if (parts === null) return null
  const found: MemberChanges[] = []
  let base: ChangeSet = []
  for (const { id, text } of parts) {
    const read = await readDraft(text, { ...around, base, expectedPath: undefined })
    if (read.refusals.length > 0) return null
    found.push({ id, changes: changesBetween(base, read.changes) })
    base = read.changes
  }
  return changesBetween(base, draft.changes).length === 0 ? found : null
}

/** Splits an answer at the lines of these ids, outside fences; `null` unless each comes at most once, and one does. */
function splitReply(
  answer: string,
  ids: readonly string[],
): readonly { readonly id: string; readonly text: string }[] | null {
  const parts: { readonly id: string; readonly lines: string[] }[] = []
  let fence = ''
  for (const line of answer.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    const id = fence === '' ? ids.find((each) => each === nameIn(line)) : undefined
    if (fence === '') fence = mark
    else if (mark.startsWith(fence) && line.trim() === mark) fence = ''
    if (id === undefined) parts.at(-1)?.lines.push(line)
    else if (parts.some((part) => part.id === id)) return null
    else parts.push({ id, lines: [] })
  }
  return parts.length === 0 ? null : parts.map(({ id, lines }) => ({ id, text: lines.join('\n') }))
}

/** The id that a heading consists of, or starts with. */
const nameIn = (line: string): string | undefined =>
  /^ {0,3}(?:#{1,6} +|\*\*)(?:TASK +)?([\w.-]+?)(?:\*\*)?:?(?:\s.*)?$/i.exec(line)?.[1]
