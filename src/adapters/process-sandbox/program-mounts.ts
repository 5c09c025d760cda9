import { lstatSync, realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Command } from '../../core/ports/sandbox.ts'
import { isInside } from '../lent-folder.ts'
import type { Mount } from './folder.ts'
import { findProgram, type Toolchain } from './toolchain.ts'

/** Different words of a command that are read. */
const mostWords = 500

/**
 * What a sandbox must show besides its toolchain so that the programs of a command start: the files that the command
 * names by an absolute path or through PATH, and the packages that a program of npm's belongs to. Never a `secret` folder.
 */
export function programMounts(
  command: Command,
  { path, readOnly }: Toolchain,
  secret: readonly string[],
): readonly Mount[] {
  const all = ('shell' in command ? [command.shell] : command.argv).flatMap((line) =>
    line.split(/[\s'"=;&|()]+/),
  )
  const words = [...new Set(all)].slice(0, mostWords)
  const files = words.flatMap((word) => (isAbsolute(word) ? word : (findProgram(word, path) ?? [])))
  const mounts = files.flatMap((file) => {
    const target = regularFile(file)
    if (target === null) return []
    const [packages] = /^.*?\/node_modules(?=\/)/.exec(target) ?? []
    const real = packages ?? target
    // A link that the sandbox does not show leads nowhere.
    return [
      { from: real, to: real },
      { from: target, to: file },
    ]
  })
  const isShown = (place: string) =>
    readOnly.some((shown) => isInside(place, shown)) || isInside(place, '/usr')
  const wanted = mounts.filter(
    ({ from, to }) => !isShown(to) && !secret.some((kept) => isInside(kept, from)),
  )
  const isCovered = ({ to }: Mount) =>
    wanted.some((other) => other.to !== to && isInside(to, other.to))
  return wanted.filter(
    (mount, at) => !isCovered(mount) && wanted.findIndex(({ to }) => to === mount.to) === at,
  )
}

function regularFile(path: string): string | null {
  try {
    const real = realpathSync(path)
    return lstatSync(real).isFile() ? real : null
  } catch {
    return null
  }
}
