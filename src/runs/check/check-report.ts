import type { Receipt } from '../../../packages/judge/judge.ts'
import type { CheckFinding } from './check-rules.ts'

/** How a sentence names the change: full commit ids are cut. */
export const nameOfChange = (change: string): string =>
  change === '-' ? 'standard input' : change.replace(fullId, shortId)

/** `main (42babe08c7)`; a base that was named by its commit is named once. */
export function nameOfBase({ name, sha }: CheckReport['base']): string {
  const commit = shortId(sha)
  const isCommit = name.length >= shortestId && sha.startsWith(name)
  return isCommit ? commit : `${name.replace(fullId, shortId)} (${commit})`
}

/** A shorter name may be that of a branch. */
const shortestId = 7
const fullId = /(?<=^|\.\.)[0-9a-f]{40,64}(?=$|\.\.)/g

const shortId = (sha: string): string => sha.slice(0, 10)

/** The document of `executor check --json`. */
export interface CheckReport {
  readonly version: 1
  /** As the person named it; `-` for standard input. */
  readonly change: string
  readonly base: { readonly name: string; readonly sha: string }
  /** `null` for a patch. */
  readonly head: string | null
  readonly result: Receipt['result']
  readonly findings: readonly CheckFinding[]
  /** `null` for a patch that does not apply. */
  readonly receipt: Receipt | null
}
