import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import type { SandboxKind } from '../../core/domain/test-report.ts'
import { isInside } from '../lent-folder.ts'
import type { Mount } from './folder.ts'
import type { Toolchain } from './toolchain.ts'

/** A command, and the world it is meant to run in. All paths absolute. */
export interface Inside {
  readonly argv: readonly string[]
  readonly folder: string
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  readonly network: boolean
  readonly mounts: readonly Mount[]
  readonly timeoutSeconds: number
}

/** One way to keep a command apart from this machine. */
export interface Isolation {
  readonly kind: SandboxKind
  /** What a command that asked for no network can reach. */
  readonly network: 'none' | 'host'
  /** True: it sees a file tree of its own, with mounts, a fresh /tmp and HOME in it. */
  readonly ownTree: boolean
  /**
   * How we know that all is over: bubblewrap reports the first process of its namespace; root keeps
   * the time itself; otherwise every descendant carries a mark.
   */
  readonly ending: 'reported' | 'kept' | 'marked'
  /** The command line that runs the command so; started with `env` of the inside. */
  wrap(inside: Inside): readonly string[]
}

export const homeInOwnTree = '/tmp/home'

const systemLinks = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/** What programs read of /etc to start, name things and trust certificates. */
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
 * Of a fresh `/proc`, what belongs to the whole machine: directories and files are read-only, and what only root may
 * read is empty, as are the kernel's keys, which no namespace keeps apart. Commands of a bot that is root own these
 * files, whatever a namespace calls their user: a line in `/proc/sys/kernel/core_pattern` names a program that the
 * kernel runs as root, outside.
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

/** Debian's Java has its configuration here, and does not start without it. */
const javaFiles = (): readonly string[] =>
  readdirSync('/etc').flatMap((name) => (/^java-\d+-openjdk$/.test(name) ? [`/etc/${name}`] : []))

/** What every sandbox with a file tree of its own shows: the system, without homes, secrets or sockets. */
export interface SystemTree {
  /** Paths shown read-only where they are, or (`to`) elsewhere. */
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
 * Namespaces for everything, a file tree put together from read-only parts, no capabilities.
 * The folder keeps its own path, so that paths in its output mean something outside.
 * Root's commands run as an ordinary user; `accounts` is the passwd file they see. Files in memory
 * may take half of `memory`; `null` for a bubblewrap before 0.7, which cannot limit them.
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
