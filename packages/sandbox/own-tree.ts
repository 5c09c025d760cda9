import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isInside } from '../files/files.ts'
import { homeInOwnTree, type Inside, type Isolation, systemTree } from './isolation.ts'
import type { Toolchain } from './toolchain.ts'

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

export interface OwnTree {
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
