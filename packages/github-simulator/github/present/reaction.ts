import { type Reaction, reactionContents } from '../records.ts'
import type { Repository, Store } from '../store.ts'
import { nodeId, presentUser } from './user.ts'

export const presentReaction = (store: Store, reaction: Reaction): Record<string, unknown> => ({
  id: reaction.id,
  node_id: nodeId('Reaction', reaction.id),
  user: presentUser(store, reaction.author),
  content: reaction.content,
  created_at: reaction.createdAt,
})

/** The number of reactions of each kind; `url` is the address of their subject. */
export function presentRollup(
  { reactions }: Repository,
  kind: Reaction['kind'],
  subject: number,
  url: string,
): Record<string, unknown> {
  const mine = reactions.filter((one) => one.kind === kind && one.subject === subject)
  const counts = reactionContents.map((content) => [
    content,
    mine.filter((one) => one.content === content).length,
  ])
  return { url: `${url}/reactions`, total_count: mine.length, ...Object.fromEntries(counts) }
}
