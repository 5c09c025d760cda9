/** The command line on a disk that takes no more, takes nothing, or is gone with the process, at one call. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CliWorld, openCliWorld } from './cli-world.ts'
import { judgeEnd } from './git-cases.ts'
import { type Course, goOn } from './kill-cases.ts'
import type { FileFault } from './strike-files.ts'

export interface FileCase {
  /** `rename PROJECT/.executor/state.json.UUID` */
  readonly call: string
  readonly at: number
  readonly fault: FileFault
}

/**
 * Every kind of call to every kind of file: its first, its middle and its last one in turn, killed there,
 * and met by one of the other faults in turn.
 */
export function fileCasesOf({ calls }: Course): readonly FileCase[] {
  const kinds = Map.groupBy(calls.files.keys(), (at) => kindOf(calls.files[at] ?? ''))
  return [...kinds].flatMap(([call, places], number) =>
    faultsOf(call, number).map((fault, order) => {
      const at = places[Math.floor((((number + order) % 3) * (places.length - 1)) / 2)] ?? 0
      return { call, at, fault }
    }),
  )
}

function faultsOf(call: string, number: number): readonly FileFault[] {
  const others: readonly FileFault[] = /^(?:sync|truncate) /.test(call)
    ? ['fails']
    : /^(?:rename|rm|link) /.test(call)
      ? ['fails', 'read-only']
      : ['fails', 'disk full', 'read-only']
  const other = others[number % others.length] ?? 'fails'
  return /^write /.test(call)
    ? ['killed within', 'disk full', ...(other === 'disk full' ? [] : [other])]
    : ['killed before', other]
}

/** Each time that a step is in the journal, and the state does not know of it yet. */
export const stateCasesOf = ({ calls }: Course): readonly FileCase[] =>
  calls.files.flatMap((call, at) =>
    /^rename .*\.executor\/state\.json/.test(call) ? [{ call, at, fault: 'killed before' }] : [],
  )

const kindOf = (call: string): string =>
  call
    .replaceAll(/T-\d|baseline-\w+/g, 'TASK')
    .replace(/new-\d/, 'new-N')
    .replace(/repo\.git\.UUID\/.*/, 'repo.git.UUID/…')
    .replace(/(?:report\.\w+|todos\.json)\.UUID/, 'REPORT.UUID')

export const describeFile = ({ call, at, fault }: FileCase): string =>
  `${call} (call ${at}): ${fault}`

export async function checkFile(
  given: FileCase,
  course: Course,
  withTools = false,
): Promise<readonly string[]> {
  await using world = await openCliWorld({ withTools })
  const ended = await world.start({ file: given }).ended
  const made = ended.calls.files.length
  // Of calls side by side some are made once or twice: then the last one that is made goes wrong instead.
  if (made <= given.at && made > 0) return checkFile({ ...given, at: made - 1 }, course, withTools)
  const wrong = [...judgeEnd(ended, given.fault), ...findTorn(world)]
  return [...wrong, ...(await goOn(world, course, 0))]
}

/** Of what is written whole nothing is ever half there. */
function findTorn({ project }: CliWorld): readonly string[] {
  const names = ['state.json', 'state.previous.json', 'report.json', 'todos.json']
  return names.flatMap((name) => {
    const path = join(project.path, '.executor', name)
    if (!existsSync(path)) return []
    try {
      JSON.parse(readFileSync(path, 'utf8'))
      return []
    } catch {
      return [`${name} is torn`]
    }
  })
}
