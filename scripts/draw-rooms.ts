import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import ts from 'typescript'

/** The rooms of src/ that each room imports. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>

/** Reads the imports of every file below `root`/src; a room is an entry of src/. */
export async function readArrows(root: string): Promise<Arrows> {
  const arrows = new Map<string, Set<string>>()
  const roomOf = (path: string): string => path.split(sep)[1] ?? ''
  for await (const file of glob('src/**/*.ts', { cwd: root })) {
    const room = arrows.get(roomOf(file)) ?? new Set()
    arrows.set(roomOf(file), room)
    const { importedFiles } = ts.preProcessFile(await readFile(join(root, file), 'utf8'))
    for (const { fileName } of importedFiles) {
      const path = normalize(join(dirname(file), fileName))
      const isOfSources = fileName.startsWith('.') && path.startsWith(`src${sep}`)
      if (isOfSources && roomOf(path) !== roomOf(file)) room.add(roomOf(path))
    }
  }
  return arrows
}

/** Draws a mermaid flowchart of the rooms, without arrows that a longer path implies. */
export function drawRooms(arrows: Arrows): string {
  const names = [...arrows.keys()].sort()
  const lines = names.flatMap((room) =>
    [...(arrows.get(room) ?? [])]
      .filter((below) => !isImplied(arrows, room, below))
      .sort()
      .map((below) => `  ${idOf(room)} --> ${idOf(below)}`),
  )
  const nodes = names.map((room) => `  ${idOf(room)}["${room}/"]`)
  return ['flowchart TD', ...nodes, ...lines].join('\n')
}

export const countArrows = (arrows: Arrows): number =>
  [...arrows.values()].reduce((sum, { size }) => sum + size, 0)

/** `graph` is a reserved word in mermaid. */
const idOf = (room: string): string => `room_${room}`

function isImplied(arrows: Arrows, from: string, to: string): boolean {
  const others = [...(arrows.get(from) ?? [])].filter((other) => other !== to)
  return others.some((other) => reaches(arrows, other, to, new Set([from])))
}

function reaches(arrows: Arrows, from: string, to: string, visited: Set<string>): boolean {
  if (visited.has(from)) return false
  visited.add(from)
  const next = arrows.get(from) ?? new Set()
  return next.has(to) || [...next].some((room) => reaches(arrows, room, to, visited))
}
