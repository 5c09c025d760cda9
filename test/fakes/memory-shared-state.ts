import {
  type Shared,
  type SharedRefs,
  SharedState,
} from '../../src/adapters/durable-store/shared-state.ts'
import { createFakeClock } from './fake-clock.ts'

type Files = ReadonlyMap<string, string>

/** What a repository keeps for all its machines. */
export interface SharedPlace {
  files: Files
  leases: ReadonlyMap<string, { readonly sha: string; readonly text: string }>
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
  leases: new Map(),
  pushes: 0,
  refusal: null,
})

/** One machine's way to it: what was seen last is pushed from until that fails, as by git. */
export const openMemoryShared = (
  place: SharedPlace,
  means: {
    readonly clock?: ConstructorParameters<typeof SharedState>[1]
    readonly between?: (refs: SharedRefs) => SharedRefs
  } = {},
): SharedState => {
  const { clock = createFakeClock(), between = (refs) => refs } = means
  return new SharedState(between(openMemoryRefs(place)), clock, { fraction: () => 0 })
}

/** Commits have names, and a push says from which ones it goes: each with a lease. */
function openMemoryRefs(place: SharedPlace): SharedRefs {
  const { states, leases } = commitsOf(place)
  const keep = (files: Files): string => {
    const sha = nameOf(files)
    states.set(sha, files)
    return sha
  }
  return {
    async fetch() {
      for (const { sha, text } of place.leases.values()) leases.set(sha, text)
      return {
        state: place.files.size === 0 ? null : keep(place.files),
        leases: new Map([...place.leases].map(([name, { sha }]) => [name, sha])),
      }
    },
    async show(tips): Promise<Shared> {
      const files = tips.state === null ? new Map<string, string>() : states.get(tips.state)
      if (files === undefined) throw new Error(`there is no commit ${tips.state}`)
      return {
        tips,
        paths: [...files.keys()],
        read: async (paths) => new Map([...files].filter(([path]) => paths.includes(path))),
        lease: async (name) => leases.get(tips.leases.get(name) ?? '') ?? null,
      }
    },
    async push(before, wanted) {
      if (place.refusal !== null) return { status: 'refused', ...place.refusal }
      const now = place.files.size === 0 ? null : nameOf(place.files)
      if (wanted.files.size > 0 && now !== before.state) {
        return { status: 'moved', sha: now ?? '' }
      }
      for (const name of wanted.leases.keys()) {
        const there = place.leases.get(name)?.sha
        if (there !== before.leases.get(name)) return { status: 'moved', sha: there ?? '' }
      }
      const made = apply(place, wanted)
      for (const [name, sha] of made) {
        if (sha !== null) leases.set(sha, place.leases.get(name)?.text ?? '')
      }
      const state = wanted.files.size === 0 ? undefined : keep(place.files)
      return { status: 'published', commits: { state, leases: made } }
    },
  }
}

/** What was ever fetched from there or pushed. */
interface Commits {
  readonly states: Map<string, Files>
  readonly leases: Map<string, string>
}
const made = new WeakMap<SharedPlace, Commits>()
function commitsOf(place: SharedPlace): Commits {
  const known = made.get(place) ?? { states: new Map(), leases: new Map() }
  made.set(place, known)
  return known
}

const names = new WeakMap<Files, string>()
let commits = 0
/** Whoever puts other files there has made another commit. */
function nameOf(files: Files): string {
  const known = names.get(files) ?? `commit-${commits++}`
  names.set(files, known)
  return known
}

function apply(
  place: SharedPlace,
  wanted: Parameters<SharedRefs['push']>[1],
): ReadonlyMap<string, string | null> {
  const files = new Map(place.files)
  for (const [path, text] of wanted.files) {
    if (text === null) files.delete(path)
    else files.set(path, text)
  }
  const leases = new Map(place.leases)
  const made = new Map<string, string | null>()
  for (const [name, text] of wanted.leases) {
    const sha = text === null ? null : `${place.pushes}-${name}`
    made.set(name, sha)
    if (sha === null || text === null) leases.delete(name)
    else leases.set(name, { sha, text })
  }
  if (wanted.files.size > 0) place.files = files
  place.leases = leases
  place.pushes += 1
  return made
}
