import type { Bug } from '../../../../test/plant-bugs.ts'
import type { SandboxKind } from '../../port.ts'

/** A second look that is taken away, and the attacks of which one gets through then. */
export interface Taken extends Bug {
  readonly name: string
  readonly kind: SandboxKind
  readonly play: 'lent folders' | 'clean-up' | 'probes' | 'daemons' | 'limits'
  /** Of limits: which. */
  readonly only?: RegExp
  /** True where only a bot that is root has something to lose. */
  readonly needsRoot?: boolean
}

const lent = 'packages/files/lent-folder.ts'
const isolation = 'packages/sandbox/isolation.ts'
const own = 'packages/sandbox/isolation.ts'
const watch = 'packages/sandbox/watch.ts'
const run = 'packages/sandbox/run.ts'

export const taken: readonly Taken[] = [
  ...(['bubblewrap', 'unsandboxed'] as const).map(
    (kind): Taken => ({
      ...{ name: `what leads out is shown (${kind})`, kind, play: 'lent folders', file: lent },
      find: 'return root && place && isInside(place, root) ? place : null',
      replace: 'return place',
    }),
  ),
  {
    name: 'a folder that became a link is taken for itself',
    kind: 'bubblewrap',
    play: 'lent folders',
    file: lent,
    find: '  if ((await lstatOrNull(folder))?.isSymbolicLink()) return null\n',
    replace: '',
  },
  {
    name: 'an entry is kept without a look at what is shown of it',
    kind: 'bubblewrap',
    play: 'lent folders',
    file: 'packages/sandbox/process-sandbox.ts',
    find: 'if (!existsSync(made) || (await resolveIn(unfinished(key), path)) !== null) continue',
    replace: 'if (made !== null) continue',
  },
  {
    name: 'an entry is shown without a look at what it became',
    kind: 'unshare',
    play: 'lent folders',
    file: 'packages/sandbox/folder.ts',
    find: 'await (within === null ? realpath(from) : resolveIn(within, from))',
    replace: 'await realpath(from).catch(() => null)',
  },
  ...(['bubblewrap', 'other-user', 'unshare', 'unsandboxed'] as const).map(
    (kind): Taken => ({
      ...{
        name: `what was shown is removed by its name (${kind})`,
        kind,
        play: 'clean-up',
        file: lent,
      },
      find: 'export async function removeIn(folder: string, path: string): Promise<void> {\n  const parent = await placeIn(folder, dirname(path))',
      replace:
        'export async function removeIn(folder: string, path: string): Promise<void> {\n  const parent = resolve(folder, dirname(path))',
    }),
  ),
  {
    name: 'a place for something shown is removed by its name',
    kind: 'bubblewrap',
    play: 'clean-up',
    file: lent,
    find: 'export async function removePlaceholder(folder: string, path: string): Promise<void> {\n  const parent = await placeIn(folder, dirname(path))',
    replace:
      'export async function removePlaceholder(folder: string, path: string): Promise<void> {\n  const parent = resolve(folder, dirname(path))',
  },
  {
    name: 'a link at the end of a path is none',
    kind: 'unshare',
    play: 'clean-up',
    file: lent,
    find: "return way.status === 'blocked' || isLink ? null : place",
    replace: "return way.status === 'blocked' && !isLink ? null : place",
  },
  {
    name: 'a link on the way is a folder',
    kind: 'bubblewrap',
    play: 'clean-up',
    file: lent,
    find: "    if (found.isSymbolicLink()) return { status: 'blocked', reason: `${shown} is a symlink` }\n    if (!found.isDirectory()) return { status: 'blocked', reason: `${shown} is not a directory` }\n",
    replace: '',
  },
  {
    name: 'what is collected is opened by its name',
    kind: 'unsandboxed',
    play: 'clean-up',
    file: lent,
    find: 'const place = await placeIn(folder, path).catch(() => null)',
    replace: 'const place = resolve(folder, path)',
  },
  {
    name: 'what is too deep stays',
    kind: 'unsandboxed',
    play: 'clean-up',
    file: lent,
    find: "'EBUSY', tooLong]",
    replace: "'EBUSY']",
  },
  {
    name: 'what is too deep is not measured',
    kind: 'bubblewrap',
    play: 'limits',
    only: /deeper/,
    file: lent,
    find: '    if (real === tooLong) isWhole = false\n',
    replace: '',
  },
  {
    name: 'files are not counted',
    kind: 'unsandboxed',
    play: 'limits',
    only: /files|folders in/,
    file: watch,
    find: 'if (entries > most) say',
    replace: 'if (entries > most && bytes < 0) say',
  },
  {
    name: 'what a run made before the first look counts as there before',
    kind: 'unshare',
    play: 'limits',
    only: /at once/,
    file: watch,
    find: '  const most = before.entries + limits.files\n',
    replace: '  const most = before.entries + limits.files + 200\n',
  },
  {
    name: 'bytes on the disk are not counted',
    kind: 'other-user',
    play: 'limits',
    only: /large files/,
    file: watch,
    find: 'else if (bytes - before.bytes > limits.disk)',
    replace: 'else if (bytes < 0)',
  },
  {
    name: 'the machine’s network is shared',
    kind: 'bubblewrap',
    play: 'probes',
    file: isolation,
    find: "['--unshare-all', ",
    replace: "['--unshare-user', '--unshare-pid', ",
  },
  {
    name: 'the machine’s processes are shared',
    kind: 'bubblewrap',
    play: 'probes',
    file: isolation,
    find: "['--unshare-all', ",
    replace: "['--unshare-user', '--unshare-net', ",
  },
  ...(['bubblewrap', 'unshare'] as const).map(
    (kind): Taken => ({
      ...{
        name: `the kernel’s controls are shown (${kind})`,
        kind,
        play: 'probes',
        file: isolation,
      },
      find: '      ...machineFiles(),\n',
      replace: '',
      needsRoot: true,
    }),
  ),
  ...(['bubblewrap', 'other-user', 'unshare'] as const).map(
    (kind): Taken => ({
      ...{ name: `one more place is shown (${kind})`, kind, play: 'probes', file: isolation },
      find: "  '/nix/store',\n",
      replace: "  '/nix/store',\n  '/srv',\n  '/run',\n",
      needsRoot: true,
    }),
  ),
  {
    name: 'what is shown may be written to (bubblewrap)',
    kind: 'bubblewrap',
    play: 'clean-up',
    file: isolation,
    find: "...mounts.flatMap(({ from, to }) => ['--ro-bind', from, to])",
    replace: "...mounts.flatMap(({ from, to }) => ['--bind', from, to])",
  },
  {
    name: 'the system may be written to (unshare)',
    kind: 'unshare',
    play: 'probes',
    file: own,
    find: `'  mount -o bind,ro "$1" "$2" 2>/dev/null && return',`,
    replace: `'  mount -o bind "$1" "$2" 2>/dev/null && return',`,
    needsRoot: true,
  },
  {
    name: 'the tree that was there before stays',
    kind: 'unshare',
    play: 'probes',
    file: own,
    find: "    'umount -l /.old',\n",
    replace: '',
  },
  {
    name: 'the machine’s network is shared (other-user)',
    kind: 'other-user',
    play: 'probes',
    file: own,
    find: "${network ? '' : ' --net'}",
    replace: '',
  },
  {
    name: 'the machine’s network is shared (unshare)',
    kind: 'unshare',
    play: 'probes',
    file: own,
    find: "...(inside.network ? [] : ['--net'])",
    replace: '...[]',
  },
  {
    name: 'rights are kept',
    kind: 'unshare',
    play: 'probes',
    file: own,
    find: "const powerless = '--no-new-privs --inh-caps=-all --bounding-set=-all'",
    replace: "const powerless = ''",
    needsRoot: true,
  },
  {
    name: 'a daemon is known by its environment alone',
    kind: 'unsandboxed',
    play: 'daemons',
    file: run,
    find: '`--locks=${mark}`',
    replace: "'--locks=4096'",
  },
  {
    name: 'what is left over is not looked for',
    kind: 'unsandboxed',
    play: 'daemons',
    file: 'packages/sandbox/child.ts',
    find: "  if (typeof request.over === 'object') await endLeftovers(group, request.over.mark)\n  else killGroup(group)\n",
    replace: '  killGroup(group)\n',
  },
  ...(['bubblewrap', 'unsandboxed'] as const).map(
    (kind): Taken => ({
      name: `the whole environment is given (${kind})`,
      kind,
      play: 'probes',
      file: 'packages/sandbox/toolchain.ts',
      find: "    ...pick(outer, ['LANG',",
      replace: "    ...pick(outer, Object.keys(outer)),\n    ...pick(outer, ['LANG',",
    }),
  ),
]
