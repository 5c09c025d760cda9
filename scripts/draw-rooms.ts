import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { packageNames } from './packages.ts'

/** The rooms that each room imports: folders of src/, and the packages below them. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>

const sources = new RegExp(`^(?:src|packages(?=/(?:${packageNames.join('|')})/))/([^/]+)/`)

/** Reads the imports of every file of the program below `root`. */
export async function readArrows(root: string): Promise<Arrows> {
  const arrows = new Map<string, Set<string>>()
  const roomOf = (path: string): string | undefined => sources.exec(path.replaceAll('\\', '/'))?.[1]
  for await (const file of glob('{src,packages}/**/*.ts', { cwd: root, exclude: isOther })) {
    const name = roomOf(file)
    if (name === undefined) continue
    const room = arrows.get(name) ?? new Set()
    arrows.set(name, room)
    const { importedFiles } = ts.preProcessFile(await readFile(join(root, file), 'utf8'))
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith('.')) continue
      const below = roomOf(normalize(join(dirname(file), fileName)))
      if (below !== undefined && below !== name) room.add(below)
    }
  }
  return arrows
}

const isOther = (path: string): boolean => /(?:^|[\\/])(?:node_modules|test|dist)$/.test(path)

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
