import { posix } from 'node:path'
import { changesOf, openTree, type Tree } from '../../../packages/change/change.ts'
import { closestPath } from '../../../packages/source/source.ts'
import { countOf, showText } from '../../../packages/text/text.ts'
import { attemptOf } from '../../core/domain/change-state.ts'
import { recordHidden } from '../../core/domain/hidden-lines.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import { longestShown } from './show-result.ts'
import { lineArgument, readToolArguments, textArgument } from './tool-arguments.ts'
import { type ToolResult, wrongCall } from './tool-result.ts'

type Needs = Pick<Ports, 'workspace'>

/** Paths that no tool shows: our own files, and git's. */
export const isHidden = (path: string): boolean => /^(?:\.executor|\.git)(?:\/|$)/.test(path)

/** A path as tools of other systems spell it, reduced to one inside the repository. */
export const insidePath = (path: string): string =>
  posix
    .normalize(
      path
        .trim()
        .replaceAll('\\', '/')
        .replace(/^(?:\.?\/)+/, ''),
    )
    .replace(/^\.$|\/$/, '')

/** The tree that the draft makes: paths of the start commit with the draft on top. */
export async function pathsNow(state: RunState, { workspace }: Needs): Promise<readonly string[]> {
  const { paths } = await treeNow(state, workspace)
  return paths.filter((path) => !isHidden(path)).toSorted()
}

/** The texts of these files, of the draft where it has them. */
export async function readNow(
  paths: readonly string[],
  state: RunState,
  { workspace }: Needs,
): Promise<ReadonlyMap<string, string>> {
  return (await treeNow(state, workspace)).read(paths)
}

async function treeNow(state: RunState, workspace: Needs['workspace']): Promise<Tree> {
  const { start, draft } = attemptOf(state)
  return (await openTree(start.sha, workspace)).with(changesOf(draft))
}

/** Shows a file of the start commit with the draft on top, or some of its lines. */
export async function readFile(input: string, state: RunState, ports: Needs): Promise<ToolResult> {
  const given = readToolArguments(input, 'path')
  const path = insidePath(textArgument(given, 'path', 'file', 'file_path', 'filename'))
  const paths = await pathsNow(state, ports)
  if (!paths.includes(path)) return noSuchFile(path, paths)
  const { task } = attemptOf(state)
  const text = (await readNow([path], state, ports)).get(path)
  if (text === undefined) return wrongCall(`${path} is not a text of at most 1 MB.`)
  const shown = showText(path, text)
  const lines = shown.text.replace(/\n$/, '').split('\n')
  const from = Math.min(
    lineArgument(given.from ?? given.start ?? given.start_line) ?? 1,
    lines.length,
  )
  const last = lineArgument(given.to ?? given.end ?? given.end_line) ?? lines.length
  const room = longestShown - path.length - rangeRoom
  const part = firstLines(lines.slice(from - 1, Math.max(from, last)), room)
  const to = from + part.length - 1
  const isWhole = from === 1 && to === lines.length
  const range = isWhole ? '' : ` (lines ${from}–${to} of ${lines.length})`
  const removed = shown.removed.map((each) => ({ ...each, path }))
  return {
    observation: `${path}${range}\n${part.join('\n')}`,
    summary: isWhole ? countOf(lines.length, 'line') : `lines ${from}–${to} of ${lines.length}`,
    patch: recordHidden(state, task.id, removed),
  }
}

/** In characters, of the line above a file's text, besides the path. */
const rangeRoom = 60

/** As many whole lines as an observation has room for; a longer first line is cut. */
function firstLines(lines: readonly string[], room: number): readonly string[] {
  const kept: string[] = []
  let left = room
  for (const line of lines) {
    if (kept.length > 0 && line.length + 1 > left) break
    kept.push(line.slice(0, room))
    left -= line.length + 1
  }
  return kept
}

function noSuchFile(path: string, paths: readonly string[]): ToolResult {
  if (path === '') return wrongCall('Give a path: {"path": "src/a.ts"}.')
  if (isHidden(path)) return wrongCall(`${path} cannot be read.`)
  if (paths.some((each) => each.startsWith(`${path}/`))) {
    return wrongCall(`${path} is a folder: use list_files.`)
  }
  const meant = closestPath(path, paths)
  return wrongCall(`There is no ${path}.${meant === null ? '' : ` Do you mean ${meant}?`}`)
}

const mostListed = 200

/** Lists the files below a folder; more than 200 are counted by folder. */
export async function listTree(input: string, state: RunState, ports: Needs): Promise<ToolResult> {
  const folder = insidePath(
    textArgument(readToolArguments(input, 'path'), 'path', 'folder', 'directory', 'dir'),
  )
  const paths = await pathsNow(state, ports)
  const inside = folder === '' ? paths : paths.filter((path) => path.startsWith(`${folder}/`))
  if (inside.length === 0) return noSuchFile(folder, paths)
  const summary = countOf(inside.length, 'file')
  if (inside.length <= mostListed) return { observation: inside.join('\n'), summary }
  const depth = folder === '' ? 0 : folder.split('/').length
  const counts = new Map<string, number>()
  for (const path of inside) {
    const parts = path.split('/')
    const name = parts.slice(0, depth + 1).join('/') + (parts.length > depth + 1 ? '/' : '')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const listed = [...counts].map(([name, count]) =>
    name.endsWith('/') ? `${name} (${countOf(count, 'file')})` : name,
  )
  return { observation: listed.join('\n'), summary }
}
