/** Which remark a reply of ours is to; the shape of the Discussion port's `RemarkRef`. */
export interface Replied {
  readonly kind: 'comment' | 'review_comment' | 'review'
  readonly id: number
}

/** The first line of our one reply to a remark: what has it is answered. */
export const replyMarker = (remark: Replied): string =>
  `<!-- executor:reply ${nameRemark(remark)} -->`

/** `comment-12` */
export const nameRemark = ({ kind, id }: Replied): string => `${kind}-${id}`

/** The second line of a reply that will be replaced: the remark is looked at again. */
export const laterMarker = ({ kind, id }: Replied): string =>
  `<!-- executor:later ${kind}-${id} -->`

/** The second line of a refusal of somebody who may not command: said once. */
export const outsiderMarker = (person: { readonly id: number }): string =>
  `<!-- executor:outsider ${person.id} -->`

export interface ReadReply {
  readonly to: Replied
  /** It still waits for something. */
  readonly isLater: boolean
  /** The account that was told that it may not command. */
  readonly outsider: number | null
}

/** What the first lines of one of our texts say; `null` when it is no reply. Ours, the caller knows. */
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
  return {
    to,
    isLater: second === laterMarker(to),
    outsider: outsider === undefined ? null : Number(outsider),
  }
}

const kinds = ['comment', 'review_comment', 'review'] as const
