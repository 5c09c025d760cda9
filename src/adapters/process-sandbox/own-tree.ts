import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isInside } from '../lent-folder.ts'
import { homeInOwnTree, type Inside, systemTree } from './isolation.ts'
import type { Toolchain } from './toolchain.ts'

/** A shell script whose data travel as arguments, so that no path is ever read as shell. */
interface Script {
  readonly text: string
  readonly words: readonly string[]
}

/** Everybody's, and programs that open them expect to find them. */
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`)

/**
 * Shows `$1` of the machine read-only at `$2`. Who is root in a namespace alone may not drop what the mount was
 * made with, and has to say it again.
 */
const show = [
  'show() {',
  '  mount -o bind,ro "$1" "$2" 2>/dev/null && return',
  '  mount --bind "$1" "$2"',
  '  mount -o "remount,bind,ro,$(findmnt -n -o VFS-OPTIONS -M "$2" | tail -n 1 | sed "s/^rw,//; s/,relatime//")" "$2"',
  '}',
]

/**
 * What root, or who is root in a namespace, does before a command: a file tree of the same parts that bubblewrap
 * shows, and nothing else of the machine. Ends in the command, run as `stepDown` has it.
 *
 * @param memory bytes, of which files in memory may take half
 */
export function ownTree(
  { argv, folder, directory, env, network, mounts }: Inside,
  { toolchain, memory, accounts, stepDown }: OwnTree,
): Script {
  const words: string[] = []
  const word = (text: string): string => `"\${${words.push(text)}}"`
  const size = Math.floor(memory / 2)
  const { shown, links } = systemTree(toolchain, accounts, network)
  const variables = Object.entries(env).map(([name, value]) => word(`${name}=${value}`))
  const places = [
    ...devices.filter(existsSync).map((path) => ({ from: path, to: path })),
    ...shown,
    { from: folder, to: folder },
    ...mounts,
  ].map(({ from, to }) => ({ from, to, isFolder: statSync(from).isDirectory() }))
  const inTree = (path: string) => `"$root"${word(path)}`
  const made = places.map(({ to, isFolder }) => inTree(isFolder ? to : dirname(to)))
  const lines = [
    'set -e',
    // Where `pivot_root` and `ip` are, which the PATH of an ordinary user may leave out.
    'PATH=$PATH:/usr/sbin:/sbin',
    'root=/mnt',
    ...show,
    'mount -t tmpfs -o mode=755 none "$root"',
    'mkdir -p "$root/dev/shm" "$root/dev/pts" "$root/proc" "$root/tmp" "$root/var" "$root/.old"',
    ...['/dev/shm', '/tmp'].map(
      (place) => `mount -t tmpfs -o mode=1777,nosuid,nodev,size=${size} none "$root${place}"`,
    ),
    'mount --bind /proc "$root/proc"',
    'mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts" 2>/dev/null && ln -s pts/ptmx "$root/dev/ptmx"',
    'ln -s /proc/self/fd "$root/dev/fd"',
    ...['stdin', 'stdout', 'stderr'].map(
      (name, index) => `ln -s /proc/self/fd/${index} "$root/dev/${name}"`,
    ),
    ...(isInside(folder, '/var/tmp') ? [] : ['ln -s ../tmp "$root/var/tmp"']),
    ...links.map(({ path, target }) => `ln -s ${word(target)} ${inTree(path)}`),
    `mkdir -p ${made.join(' ')}`,
    ...places.flatMap(({ to, isFolder }) =>
      isFolder ? [] : [`[ -e ${inTree(to)} ] || : >${inTree(to)}`],
    ),
    ...places.map(({ from, to }) =>
      from === folder || devices.includes(from)
        ? `mount --bind ${word(from)} ${inTree(to)}`
        : `show ${word(from)} ${inTree(to)}`,
    ),
    `mkdir -m 700 "$root${homeInOwnTree}"`,
    `chown --reference=${inTree(folder)} "$root${homeInOwnTree}"`,
    ...(network ? [] : ['ip link set lo up 2>/dev/null || true']),
    'cd "$root"',
    'pivot_root . .old',
    'umount -l /.old',
    // This mount alone: who is root in a namespace may not say the rest again.
    'mount -o remount,bind,ro /',
    `cd ${word(directory)}`,
    `exec env -i ${variables.join(' ')} ${stepDown} -- ${argv.map(word).join(' ')}`,
  ]
  return { text: lines.join('\n'), words }
}

export interface OwnTree {
  readonly toolchain: Toolchain
  readonly memory: number
  /** The passwd file that commands see. */
  readonly accounts: string
  /** The program and its options by which the command loses what its starter may do. */
  readonly stepDown: string
}
