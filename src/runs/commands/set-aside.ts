import { label } from '../../core/domain/identity.ts'
import type { ForgeResult } from '../../core/ports/forge.ts'
import { done, type Handler, notDone, refused } from './ordered.ts'
import { forgeSaid, loginText } from './words.ts'

const ways = {
  reject: {
    label: null,
    words: 'Rejected',
    next: 'I leave this task alone until somebody asks for it: `/retry` here does.',
  },
  cancel: {
    label: null,
    words: 'Cancelled',
    next: 'Nothing more is done about this task; `/retry` takes it up again.',
  },
  skip: {
    label: label.skipped,
    words: 'Skipped',
    next: 'The other tasks go on without this one; `/retry` takes it up again.',
  },
  defer: {
    label: label.deferred,
    words: 'Deferred',
    next: 'I try this task again the next night.',
  },
} as const

/** `/defer`, `/skip`, `/reject` and `/cancel`: the pull request is closed, its label says how it was meant. */
export const setAside: Handler = async ({ command, target, remark }, _, { ports }) => {
  const { pull, id } = target
  if (pull.state === 'merged') return refused('This is merged: there is nothing left to decide.')
  const way = ways[command.name as keyof typeof ways]
  const wanted: readonly string[] = way.label === null ? [] : [way.label]
  const others = [label.skipped, label.deferred].filter((name) => !wanted.includes(name))
  const add = wanted.filter((name) => !pull.labels.includes(name))
  const remove = others.filter((name) => pull.labels.includes(name))
  // The label first: whatever ends us between the two, a closed one says how it was meant.
  const labelled: ForgeResult<null> =
    add.length + remove.length === 0
      ? { status: 'ok', value: null }
      : await ports.forge.label(pull.number, { add, remove })
  const result = labelled.status === 'ok' ? await ports.forge.close(pull.number) : labelled
  if (result.status === 'refused')
    return notDone(result, `That did not work. ${forgeSaid(result.detail)}`)
  return done(`${way.words} **${id}** for ${loginText(remark.author)}. ${way.next}`, true)
}
