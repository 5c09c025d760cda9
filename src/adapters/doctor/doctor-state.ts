/** The checks of `executor doctor` on refs/executor/state and the leases. */

import { countOf } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { readLearned, readSharedRun, runsIn } from '../durable-store/read-runs.ts'
import { type Shared, showShared } from '../durable-store/shared-state.ts'
import { readMemory } from '../file-store/memory-file.ts'
import { openClone } from '../git-workspace/clone.ts'
import type { NetworkRemote } from '../git-workspace/network-upstream.ts'
import { commitShared, fetchShared, timeOfState, tryPush } from '../git-workspace/shared-refs.ts'
import { createTreeReader, type TreeFiles } from '../git-workspace/trees.ts'
import { type DoctorCheck, fail, ok, warn } from './check.ts'

/** In bytes; every run fetches all of it. */
const large = 20_000_000

const forget =
  'git push origin :refs/executor/state deletes it; finished work is found on branches.'

/** Fetches the state into `home` and writes nothing elsewhere. */
export async function checkState(options: {
  readonly remote: NetworkRemote
  /** An empty folder for this check. */
  readonly home: string
  readonly roadmap: string
  readonly clock: Pick<Clock, 'now'>
}): Promise<readonly DoctorCheck[]> {
  const { remote, home, clock } = options
  try {
    const clone = await openClone(home, null)
    const tips = await fetchShared(clone, remote)
    const tree: TreeFiles =
      tips.state === null ? new Map() : await createTreeReader(clone)(tips.state)
    const author = { name: 'doctor', email: 'doctor@localhost', now: clock.now() }
    const made = await commitShared(clone, null, new Map([['doctor', '']]), new Map(), author)
    const against = await tryPush(clone, remote, made.state ?? '')
    const since = tips.state === null ? null : await timeOfState(clone, tips.state)
    return [
      describeState(tree, tips.leases.size, since && ageOf(since, clock.now())),
      ...(await findDamage(showShared(clone, tips, tree), options.roadmap)),
      describeWriting(against),
    ]
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    const next = 'Check that the token can read the contents of this repository.'
    return [fail('state', error.message, next)]
  }
}

function describeState(tree: TreeFiles, leases: number, age: string | null): DoctorCheck {
  if (age === null) return ok('state', 'nothing is stored yet (refs/executor/state)')
  const bytes = [...tree.values()].reduce((sum, { size }) => sum + size, 0)
  const runs = runsIn({ paths: [...tree.keys()] }).length
  const facts = [
    `${tree.size} files, ${(bytes / 1_000_000).toFixed(1)} MB, pushed ${age} ago`,
    ...(runs > 0 ? [countOf(runs, 'unfinished run')] : []),
    ...(leases > 0 ? [countOf(leases, 'lease')] : []),
  ]
  const detail = `refs/executor/state: ${facts.join(', ')}`
  if (bytes <= large) return ok('state', detail)
  return warn('state', detail, `Every run fetches it. Lower state.retention-days; or: ${forget}`)
}

/** Finds the parts that the next run would report and skip or rebuild. */
async function findDamage(shared: Shared, roadmap: string): Promise<readonly DoctorCheck[]> {
  const damaged: string[] = []
  for (const run of runsIn(shared)) {
    const read = await readSharedRun(shared, run)
    if (read.status === 'damaged') damaged.push(read.detail)
  }
  const learned = await readLearned(shared, roadmap)
  if (learned.status === 'damaged') damaged.push(learned.detail)
  const memory = (await shared.read(['memory.json'])).get('memory.json')
  if (memory !== undefined && readMemory(memory) === null) damaged.push('memory.json')
  return damaged.map((detail) => warn('state', `unreadable: ${detail}`, `Runs skip it. ${forget}`))
}

function describeWriting(against: string | null): DoctorCheck {
  const name = 'state, writing'
  if (against === null) return ok(name, 'this token can push it')
  const next =
    'Grant contents: write. Otherwise an interrupted run starts over on the next machine.'
  return warn(name, against.replaceAll(/\s+/g, ' ').slice(0, 300), next)
}

/** `3 h` */
function ageOf(then: string, now: string): string {
  const minutes = Math.max(0, Math.round((Date.parse(now) - Date.parse(then)) / 60_000))
  if (minutes < 120) return `${minutes} min`
  return minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`
}
