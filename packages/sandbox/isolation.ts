import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isInside } from '../files/files.ts'
import type { Mount } from './folder.ts'
import type { SandboxKind } from './port.ts'
import type { Toolchain } from './toolchain.ts'

/** A command and its intended environment. All paths are absolute. */
interface Inside {
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
interface SystemTree {
  /** Paths shown read-only in place, or elsewhere (`to`). */
  readonly shown: readonly Mount[]
  readonly links: readonly { readonly path: string; readonly target: string }[]
}

/** @param accounts the passwd file that commands see */
function systemTree(toolchain: Toolchain, accounts: string, network: boolean): SystemTree {
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

/** Public devices that programs expect to find. */
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`)

/**
 * Shows `$1` of the machine read-only at `$2`. Root in a namespace may not drop the options of the
 * original mount and has to repeat them.
 */
const show = [
  'show() {',
  '  mount -o bind,ro "$1" "$2" 2>/dev/null && return',
  '  mount --bind "$1" "$2"',
  '  mount -o "remount,bind,ro,$(findmnt -n -o VFS-OPTIONS -M "$2" | tail -n 1 | sed "s/^rw,//; s/,relatime//")" "$2"',
  '}',
]

interface OwnTree {
  readonly toolchain: Toolchain
  /** In bytes; files in memory may take half of it. */
  readonly memory: number
  /** The passwd file that commands see. */
  readonly accounts: string
}

/**
 * The set-up that root, real or in a namespace, does before a command: a file tree of the same
 * parts that bubblewrap shows. It ends by running the command with `stepDown`: the program and
 * options that remove root's privileges from the command.
 * @returns a shell script, and its data as arguments, so that no path is ever parsed as shell
 */
function ownTree(
  { argv, folder, directory, env, network, mounts }: Inside,
  { toolchain, memory, accounts }: OwnTree,
  stepDown: string,
): readonly [text: string, ...words: string[]] {
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
    // The location of `pivot_root` and `ip`, which an ordinary user's PATH may omit.
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
    // Only this mount: root in a namespace may not change the other options.
    'mount -o remount,bind,ro /',
    `cd ${word(directory)}`,
    `exec env -i ${variables.join(' ')} ${stepDown} -- ${argv.map(word).join(' ')}`,
  ]
  return [lines.join('\n'), ...words]
}

/** The user `nobody`, which owns nothing and exists everywhere. */
const nobody = 65534

const spaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--ipc', '--uts']

/** Drops all of root's capabilities; no program can restore them. */
const powerless = '--no-new-privs --inh-caps=-all --bounding-set=-all'

/**
 * For machines that refuse namespaces to ordinary users but allow passwordless sudo (GitHub's
 * hosted runners): root creates the namespaces and a file tree, then steps down to a user that owns
 * nothing. The folder belongs to that user while the command runs. Root also keeps the time, since
 * we may not kill another user's process.
 */
export function otherUser(tree: OwnTree, isRoot: boolean): Isolation {
  const stepDown = `setpriv --reuid ${nobody} --regid ${nobody} --clear-groups ${powerless}`
  return {
    kind: 'other-user',
    network: 'none',
    ownTree: true,
    ending: 'kept',
    wrap(inside) {
      return [
        ...(isRoot ? [] : ['sudo', '-n', '--']),
        ...['sh', '-c', outerScript(inside.network), 'sandbox'],
        ...[inside.folder, String(inside.timeoutSeconds), ...ownTree(inside, tree, stepDown)],
      ]
    },
  }
}

/** The same tree, created by root in a user namespace: the command runs as this user. */
export const unshare = (tree: OwnTree): Isolation => ({
  kind: 'unshare',
  network: 'none',
  ownTree: true,
  ending: 'marked',
  wrap(inside) {
    const [text, ...words] = ownTree(inside, tree, `setpriv ${powerless}`)
    return [
      ...['unshare', '--map-root-user', ...spaces, ...(inside.network ? [] : ['--net'])],
      ...['sh', '-c', text, 'sandbox', ...words],
    ]
  },
})

/** Lends the folder, keeps the time, and takes the folder back. */
function outerScript(network: boolean): string {
  const options = `${spaces.join(' ')}${network ? '' : ' --net'}`
  return [
    'folder=$1; seconds=$2; inner=$3; shift 3',
    'owner=$(stat -c %u:%g "$folder") || exit 1',
    `chown -hR ${nobody}:${nobody} "$folder"`,
    'exec 3<&0',
    `timeout --foreground -s KILL "$seconds" unshare ${options} sh -c "$inner" sandbox "$@" </dev/null 3<&- &`,
    'keeper=$!',
    // A line on the input, or its end when the requester is dead, ends it now: the alarm makes
    // `timeout` believe that its time is up.
    '(read -r word <&3; kill -ALRM "$keeper") >/dev/null 2>&1 &',
    'reader=$!',
    'wait "$keeper"',
    'code=$?',
    'kill "$reader" 2>/dev/null',
    'chown -hR "$owner" "$folder"',
    'exit $code',
  ].join('\n')
}
