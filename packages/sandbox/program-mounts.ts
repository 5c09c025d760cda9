import { lstatSync, realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { findProgram, isInside } from '../files/files.ts'
import type { Mount } from './folder.ts'
import type { Command } from './port.ts'
import type { Toolchain } from './toolchain.ts'

/** Different words of a command that are read. */
const mostWords = 500

/**
 * What a sandbox must show besides its toolchain so that the programs of a command start: the files that the command
 * names by an absolute path or through PATH, and the packages that a program of npm's belongs to. Never a `secret` folder,
 * a file of the kernel's, or one that is neither a program nor for everyone to read: the author of a command has no right
 * to the keys of this machine's user.
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
    const target = programFile(file)
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

/** `/proc/1/environ` is a regular file, too: with the executor's keys, where it is the first process of a container. */
const ofTheKernel = ['/dev', '/proc', '/run', '/sys']
const forEveryone = 0o004
const runs = 0o100

function programFile(path: string): string | null {
  try {
    const real = realpathSync(path)
    const found = lstatSync(real)
    const isProgram = found.isFile() && (found.mode & (forEveryone | runs)) !== 0
    return isProgram && !ofTheKernel.some((place) => isInside(real, place)) ? real : null
  } catch {
    return null
  }
}
