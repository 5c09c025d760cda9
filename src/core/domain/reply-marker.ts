/** The remark that one of our replies answers; the shape of the Discussion port's `RemarkRef`. */
export interface Replied {
  readonly kind: 'comment' | 'review_comment' | 'review'
  readonly id: number
}

/** First line of our one reply to a remark: a remark with such a reply is answered. */
export const replyMarker = (remark: Replied): string =>
  `<!-- executor:reply ${nameRemark(remark)} -->`

/** `comment-12` */
export const nameRemark = ({ kind, id }: Replied): string => `${kind}-${id}`

/**
 * Second line of a reply that will be replaced: the remark is examined again. `sha`: the commit that the remark
 * approved; the remark itself names its author and time.
 */
export const laterMarker = (remark: Replied, sha: string | null = null): string =>
  `<!-- executor:later ${nameRemark(remark)}${sha === null ? '' : ` ${sha}`} -->`

/** Second line of a refusal for a person who may not command; sent once. */
export const outsiderMarker = (person: { readonly id: number }): string =>
  `<!-- executor:outsider ${person.id} -->`

export interface ReadReply {
  readonly to: Replied
  /** The remark still waits. */
  readonly isLater: boolean
  /** The commit that the remark approved, while it waits. */
  readonly approved: string | null
  /** The account that learned that it may not command. */
  readonly outsider: number | null
}

/** Reads the first lines of one of our texts; `null` when it is not a reply. The caller knows that it is ours. */
export function readReply(body: string): ReadReply | null {
  const head = body.slice(0, 300).split(/\r?\n/, 2)
  const first = /^<!-- executor:reply (comment|review_comment|review)-(\d{1,15}) -->$/.exec(
    head[0]?.trimEnd() ?? '',
  )
  const kind = kinds.find((each) => each === first?.[1])
  if (kind === undefined) return null
  const to = { kind, id: Number(first?.[2]) }
  const second = head[1]?.trimEnd() ?? ''
  const outsider = /^<!-- executor:outsider (\d{1,15}) -->$/.exec(second)?.[1]
  const approved = / ([0-9a-f]{40}) -->$/.exec(second)?.[1] ?? null
  return {
    to,
    isLater: second === laterMarker(to, approved),
    approved,
    outsider: outsider === undefined ? null : Number(outsider),
  }
}

const kinds = ['comment', 'review_comment', 'review'] as const
