import type { SandboxKind } from '../../port.ts'
import type { Language } from './moves.ts'

/** One attack, as it went in one kind of sandbox and one language. */
export interface Played {
  readonly group: Group
  readonly name: string
  readonly kind: SandboxKind
  readonly language: Language
  /** True where each of its moves was made, and came to something where that is not what the sandbox is there for. */
  readonly isTried: boolean
  readonly isThrough: boolean
  /** True for what a tested process does all by itself: without a sandbox it is held by nobody. */
  readonly isOwnDoing?: boolean
  /** True where this machine may lack what it aims at. */
  readonly mayLack?: boolean
}

export const groups = {
  'lent folders': 'Code that runs during an installation redirects folders that later tests see',
  'clean-up': 'A test redirects files that are cleaned up or collected after it',
  reading: 'A test reads files that are not its own',
  reaching: 'A test reaches sockets, processes and the kernel',
  writing: 'A test writes outside its folder',
  staying: 'A process outlives its run',
  'using up': 'A test exhausts a resource',
} as const

export type Group = keyof typeof groups

/** How an attack ended: it was held, or got through; it never got going, or nothing of the kind is on this machine. */
export type Verdict = 'held' | 'through' | 'not started' | 'not here' | 'own doing'

export interface Judged extends Played {
  readonly verdict: Verdict
}

/**
 * An attack that a process does all by itself got going where the same one, in the same language, gets through
 * without a sandbox: what fails there, too, was held by nobody.
 */
export function judge(all: readonly Played[]): readonly Judged[] {
  const key = ({ group, name, language }: Played) => `${group} ${name} ${language}`
  const without = new Map(
    all.filter(({ kind }) => kind === 'unsandboxed').map((played) => [key(played), played]),
  )
  return all.map((played) => ({ ...played, verdict: verdictOf(played, without.get(key(played))) }))
}

function verdictOf(played: Played, without: Played | undefined): Verdict {
  const isFree = played.kind === 'unsandboxed'
  if (played.isThrough) return played.isOwnDoing && isFree ? 'own doing' : 'through'
  if (!played.isTried) return 'not started'
  if (played.isOwnDoing && !without?.isThrough) return played.mayLack ? 'not here' : 'not started'
  return 'held'
}

/** How many attacks of a group one kind of sandbox saw. */
export interface Counted {
  readonly kind: SandboxKind
  readonly group: Group
  readonly languages: number
  readonly tried: number
  readonly going: number
  readonly held: number
  /** What a tested process does by itself where there is no sandbox. */
  readonly ownDoing: number
  /** What this machine has nothing for. */
  readonly notHere: number
}

export function countAttacks(judged: readonly Judged[]): readonly Counted[] {
  const cells = Map.groupBy(judged, ({ kind, group }) => `${kind} ${group}`)
  return [...cells.values()].flatMap((all) => {
    const [first] = all
    if (first === undefined) return []
    const count = (verdict: Verdict) => all.filter((each) => each.verdict === verdict).length
    const notHere = count('not here')
    return {
      ...{
        kind: first.kind,
        group: first.group,
        held: count('held'),
        ownDoing: count('own doing'),
      },
      languages: new Set(all.map(({ language }) => language)).size,
      tried: all.length - notHere,
      going: all.length - notHere - count('not started'),
      notHere,
    }
  })
}

export function showTable(counted: readonly Counted[]): string {
  const head = ['sandbox', 'attacks', 'languages', 'tried', 'got going', 'held', 'own doing']
  const rows = counted.map((row) => [
    ...[row.kind, row.group, row.languages, row.tried, row.going, row.held].map(String),
    row.ownDoing === 0 ? '' : String(row.ownDoing),
  ])
  const widths = head.map((word, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0), word.length),
  )
  return [head, ...rows]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n')
}
