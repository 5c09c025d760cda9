import type { Shared, SharedState, Wanted } from '../../src/adapters/durable-store/shared-state.ts'

/** What a repository keeps for all its machines. */
export interface SharedPlace {
  files: ReadonlyMap<string, string>
  claims: ReadonlyMap<string, { readonly sha: string; readonly text: string }>
  /** Pushes that took effect. */
  pushes: number
  /** What the repository has against the next pushes. */
  refusal: {
    readonly code: 'branch_protected' | 'forge_unreachable'
    readonly detail: string
  } | null
}

export const createSharedPlace = (): SharedPlace => ({
  files: new Map(),
  claims: new Map(),
  pushes: 0,
  refusal: null,
})

/** One machine's way to it: like git's, what was seen last is pushed from until that fails. */
export function openMemoryShared(place: SharedPlace): SharedState {
  let seen: SharedPlace | null = null
  const fetch = (): SharedPlace => {
    seen = { ...place }
    return seen
  }
  return {
    look: async () => show(fetch()),
    async update(build) {
      for (let tries = 0; tries < 8; tries++) {
        const before = seen ?? fetch()
        const wanted = await build(show(before))
        if (wanted === null || wanted.files.size + wanted.claims.size === 0) {
          return { status: 'unchanged' }
        }
        if (place.refusal !== null) return { status: 'refused', ...place.refusal }
        if (isAsSeen(place, before, wanted)) {
          apply(place, wanted)
          fetch()
          return { status: 'published' }
        }
        fetch()
      }
      return { status: 'refused', code: 'forge_unreachable', detail: 'others were quicker' }
    },
  }
}

const isAsSeen = (place: SharedPlace, before: SharedPlace, { files, claims }: Wanted): boolean =>
  (files.size === 0 || place.files === before.files) &&
  [...claims.keys()].every((name) => place.claims.get(name)?.sha === before.claims.get(name)?.sha)

function apply(place: SharedPlace, wanted: Wanted): void {
  const files = new Map(place.files)
  for (const [path, text] of wanted.files) {
    if (text === null) files.delete(path)
    else files.set(path, text)
  }
  const claims = new Map(place.claims)
  const made = new Map<string, string | null>()
  for (const [name, text] of wanted.claims) {
    const sha = text === null ? null : `${place.pushes}-${name}`
    made.set(name, sha)
    if (sha === null || text === null) claims.delete(name)
    else claims.set(name, { sha, text })
  }
  if (wanted.files.size > 0) place.files = files
  place.claims = claims
  place.pushes += 1
  wanted.published(made)
}

const show = ({ files, claims }: SharedPlace): Shared => ({
  tips: { state: 'tip', claims: new Map([...claims].map(([name, { sha }]) => [name, sha])) },
  paths: [...files.keys()],
  read: async (paths) =>
    new Map(
      paths.flatMap((path) => {
        const text = files.get(path)
        return text === undefined ? [] : [[path, text] as const]
      }),
    ),
  claim: async (name) => claims.get(name)?.text ?? null,
})
