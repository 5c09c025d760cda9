import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { isInside } from '../files/files.ts'
import type { Mount } from './folder.ts'
import type { SandboxKind } from './port.ts'
import type { Toolchain } from './toolchain.ts'

/** A command and its intended environment. All paths are absolute. */
export interface Inside {
  readonly argv: readonly string[]
  readonly folder: string
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  readonly network: boolean
  readonly mounts: readonly Mount[]
  readonly timeoutSeconds: number
}

/** A way to isolate a command from this machine. */
export interface Isolation {
  readonly kind: SandboxKind
  /** What a command without network permission can reach. */
  readonly network: 'none' | 'host'
  /** True if it sees its own file tree, with mounts and a fresh /tmp and HOME. */
  readonly ownTree: boolean
  /**
   * How we detect the end: bubblewrap reports the first process of its namespace; root keeps the
   * time itself; otherwise every descendant carries a mark.
   */
  readonly ending: 'reported' | 'kept' | 'marked'
  /** Builds the command line, to be started with the `env` of the inside. */
  wrap(inside: Inside): readonly string[]
}

export const homeInOwnTree = '/tmp/home'

const systemLinks = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/** Files in /etc that programs need to start, resolve names and trust certificates. */
const systemFiles = [
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/alternatives'],
  ...['/etc/group', '/etc/hosts', '/etc/nsswitch.conf', '/etc/protocols', '/etc/services'],
  ...['/etc/localtime', '/etc/mime.types', '/etc/fonts'],
  ...['/etc/maven/logging', '/etc/maven/m2.conf', '/etc/php'],
  ...['/etc/ca-certificates', '/etc/ssl/cert.pem', '/etc/ssl/certs', '/etc/ssl/openssl.cnf'],
  ...['/etc/pki/ca-trust', '/etc/pki/java'],
  ...['/etc/pki/tls/cert.pem', '/etc/pki/tls/certs', '/etc/pki/tls/openssl.cnf'],
  '/nix/store',
]

/**
 * The machine-wide parts of a fresh `/proc`: directories and files become read-only, and files for
 * root only become empty, as do the kernel's keys, which no namespace separates. If the executor is
 * root, its commands own these files, whatever user a namespace shows: a line in
 * `/proc/sys/kernel/core_pattern` names a program that the kernel runs as root, outside.
 */
function machineFiles(): readonly Mount[] {
  const found = readdirSync('/proc').filter((name) => !/^\d+$/.test(name))
  return found.flatMap((name) => {
    const to = `/proc/${name}`
    const file = lstatSync(to)
    if (file.isSymbolicLink()) return []
    if (name === 'keys' || (file.mode & 0o004) === 0) return [{ from: '/dev/null', to }]
    return file.isDirectory() || (file.mode & 0o222) !== 0 ? [{ from: to, to }] : []
  })
}

/** Debian's Java needs its configuration here to start. */
const javaFiles = (): readonly string[] =>
  readdirSync('/etc').flatMap((name) => (/^java-\d+-openjdk$/.test(name) ? [`/etc/${name}`] : []))

/** The parts of every own file tree: the system, without homes, secrets or sockets. */
export interface SystemTree {
  /** Paths shown read-only in place, or elsewhere (`to`). */
  readonly shown: readonly Mount[]
  readonly links: readonly { readonly path: string; readonly target: string }[]
}

/** @param accounts the passwd file that commands see */
export function systemTree(toolchain: Toolchain, accounts: string, network: boolean): SystemTree {
  const present = systemLinks.filter(existsSync)
  const isLink = (path: string) => lstatSync(path).isSymbolicLink()
  const links = present.filter(isLink).map((path) => ({ path, target: readlinkSync(path) }))
  const folders = present.filter((path) => !isLink(path))
  const files = [...systemFiles.filter(existsSync), ...javaFiles()]
  const known = ['/usr', ...systemLinks]
  const tools = toolchain.readOnly.filter((path) => !known.some((place) => isInside(path, place)))
  // Often a link into /run, which is not shown.
  const resolver = '/etc/resolv.conf'
  const asItIs = (path: string): Mount => ({ from: path, to: path })
  return {
    links,
    shown: [
      ...machineFiles(),
      ...['/usr', ...folders, ...files].map(asItIs),
      { from: accounts, to: '/etc/passwd' },
      ...(network && existsSync(resolver) ? [{ from: realpathSync(resolver), to: resolver }] : []),
      ...tools.map(asItIs),
    ],
  }
}

/**
 * Namespaces for everything, a file tree of read-only parts, no capabilities. The folder keeps its
 * path, so that paths in its output are valid outside. Root's commands run as an ordinary user;
 * `accounts` is the passwd file that they see. Files in memory may take half of `memory`; `null`
 * for a bubblewrap before 0.7, which cannot limit them.
 */
export function bubblewrap(
  toolchain: Toolchain,
  accounts: string,
  isRoot: boolean,
  memory: number | null,
): Isolation {
  const size = memory === null ? [] : ['--size', String(Math.floor(memory / 2))]
  const start = [
    'bwrap',
    ...['--unshare-all', '--die-with-parent', '--new-session', '--json-status-fd', '3'],
    ...['--cap-drop', 'ALL', ...(isRoot ? ['--uid', '1000', '--gid', '1000'] : [])],
  ]
  const own = [
    ...['--dev', '/dev', ...size, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--proc', '/proc', ...size, '--tmpfs', '/tmp', '--dir', homeInOwnTree],
    ...['--dir', '/var'],
  ]
  return {
    kind: 'bubblewrap',
    network: 'none',
    ownTree: true,
    ending: 'reported',
    wrap({ argv, folder, directory, network, mounts }) {
      const { shown, links } = systemTree(toolchain, accounts, network)
      return [
        ...[...start, ...(network ? ['--share-net'] : []), ...own],
        ...(isInside(folder, '/var/tmp') ? [] : ['--symlink', '../tmp', '/var/tmp']),
        ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
        ...shown.flatMap(({ from, to }) => ['--ro-bind', from, to]),
        ...['--bind', folder, folder],
        ...mounts.flatMap(({ from, to }) => ['--ro-bind', from, to]),
        ...['--remount-ro', '/', '--chdir', directory, '--', ...argv],
      ]
    },
  }
}

export const unsandboxed: Isolation = {
  kind: 'unsandboxed',
  network: 'host',
  ownTree: false,
  ending: 'marked',
  wrap: ({ argv }) => argv,
}
