import type { MemoryRemark, MemoryRepository } from '../fakes/memory-repository.ts'
import type { MemoryWorld } from './memory-world.ts'

/** What must be the same however a run came about: texts, by what they are about. */
export type EndState = Readonly<Record<string, string>>

/**
 * Branches with their files, pull requests, comments, issues and what is kept for later. The names of
 * commits and runs, numbers and times are left out, since those may differ, and reactions, which only
 * say sooner what a reply says.
 */
export async function endOf(world: MemoryWorld): Promise<EndState> {
  const { repository, workspace } = world
  const { branches, base } = await workspace.refresh()
  const tips = [...branches, { name: base.branch, sha: base.sha }]
  const plain = plainWords(repository)
  const state: Record<string, string> = {}
  for (const { name, sha } of tips) {
    for (const [path, text] of Object.entries(workspace.filesAt(sha))) {
      state[`${name}:${path}`] = plain(text)
    }
    if (name !== base.branch) state[`message of ${name}`] = plain(workspace.commitAt(sha).message)
  }
  for (const { number, base: onto, title, body, labels, state: now, draft } of repository.pulls) {
    const words = [now, onto, title, draft, [...labels].sort().join(' '), body].join('\n')
    state[plain(`pull request #${number}`)] = plain(words)
  }
  for (const { number, title, body, labels, state: now } of repository.issues) {
    state[plain(`issue #${number}`)] = plain([now, title, labels.join(' '), body].join('\n'))
  }
  const said = repository.remarks.map((remark) => plain(describeRemark(remark, repository)))
  state.remarks = said.sort().join('\n')
  state.parked = plain([...(await workspace.parked()).keys()].sort().join(' '))
  return state
}

/** Of our own remarks only what they are for: what a report says depends on how often a run was begun. */
function describeRemark(
  { kind, on, author, body, path, line }: MemoryRemark,
  { us }: MemoryRepository,
): string {
  const markers = [...body.matchAll(/<!-- (executor:\S+)/g)].map(([, name]) => name)
  const words = author.id === us.id ? markers.join(' ') : body
  return [kind, `#${on}`, author.login, path, line, words].join(' ')
}

/** What has a number on GitHub. */
interface Numbered {
  readonly pulls: readonly { readonly number: number; readonly head: string }[]
  readonly issues: readonly { readonly number: number; readonly title: string }[]
}

/** Texts without what may differ between two runs that did the same. */
export function plainWords({ pulls, issues }: Numbered): (text: string) => string {
  const names = new Map<string, string>()
  for (const { number, head } of pulls) {
    const same = [...names.values()].filter((name) => name.startsWith(`${head} `)).length
    names.set(`${number}`, `${head} ${same + 1}`)
  }
  for (const { number, title } of issues) names.set(`${number}`, title)
  return (text) =>
    text
      // It tells of the runs that there were, and each fault makes others of them.
      .replaceAll(/\n*<!-- executor:last-run -->[\s\S]*?<!-- executor:last-run-end -->/g, '')
      // A resumed run belongs to another run of the workflow.
      .replaceAll(/https?:\/\/[^\s)]*\/actions\/runs\/\d+/g, 'LOG')
      .replaceAll(/run-\d{8}-\d{6}-\w+/g, 'RUN')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME')
      .replaceAll(/\b[0-9a-f]{7,64}\b/g, 'SHA')
      .replaceAll(/(?<=#\u200b?|pull\/|issues\/)\d+/g, (digits) => names.get(digits) ?? digits)
}

/** What differs, in words; empty when nothing does. */
export function compareEnds(expected: EndState, found: EndState): readonly string[] {
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort()
  return keys.flatMap((key) => {
    const [wanted, is] = [expected[key], found[key]]
    if (wanted === is) return []
    if (wanted === undefined) return [`${key} is there, and should not be`]
    if (is === undefined) return [`${key} is missing`]
    return [`${key}: ${differingLines(wanted, is)}`]
  })
}

function differingLines(wanted: string, is: string): string {
  const [old, now] = [wanted.split('\n'), is.split('\n')]
  const gone = old.filter((line) => !now.includes(line)).map((line) => `-${line}`)
  const came = now.filter((line) => !old.includes(line)).map((line) => `+${line}`)
  const lines = [...gone, ...came]
  return (lines.length > 0 ? lines : [`${old.length} lines, not ${now.length}`]).join(' | ')
}
