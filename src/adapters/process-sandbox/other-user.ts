import type { Isolation } from './isolation.ts'
import { type OwnTree, ownTree } from './own-tree.ts'

/** `nobody`: owns nothing, and exists everywhere. */
const nobody = 65534

/** Nothing of what root may do; no program gives it back. */
const powerless = '--no-new-privs --inh-caps=-all --bounding-set=-all'

/**
 * For machines that refuse namespaces to ordinary users but let us become root without a
 * password (GitHub's hosted runners): root makes the namespaces and a file tree of its own,
 * then steps down to a user that owns nothing.
 * The folder belongs to that user while the command runs. Root also keeps the time, since a
 * process of another user is not ours to kill.
 */
export function otherUser(tree: Omit<OwnTree, 'stepDown'>, isRoot: boolean): Isolation {
  const stepDown = `setpriv --reuid ${nobody} --regid ${nobody} --clear-groups ${powerless}`
  return {
    kind: 'other-user',
    network: 'none',
    ownTree: true,
    ending: 'kept',
    wrap(inside) {
      const { text, words } = ownTree(inside, { ...tree, stepDown })
      return [
        ...(isRoot ? [] : ['sudo', '-n', '--']),
        ...['sh', '-c', outerScript(inside.network), 'sandbox'],
        ...[inside.folder, String(inside.timeoutSeconds), text, ...words],
      ]
    },
  }
}

/** The same tree, made by who is root in a user namespace alone: the command runs as this user, and may not undo it. */
export const unshare = (tree: Omit<OwnTree, 'stepDown'>): Isolation => ({
  kind: 'unshare',
  network: 'none',
  ownTree: true,
  ending: 'marked',
  wrap(inside) {
    const { text, words } = ownTree(inside, { ...tree, stepDown: `setpriv ${powerless}` })
    const spaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--ipc', '--uts']
    return [
      ...['unshare', '--map-root-user', ...spaces, ...(inside.network ? [] : ['--net'])],
      ...['sh', '-c', text, 'sandbox', ...words],
    ]
  },
})

/** Lends the folder, keeps the time, takes the folder back. */
function outerScript(network: boolean): string {
  const spaces = `--mount --pid --fork --kill-child --mount-proc --ipc --uts${network ? '' : ' --net'}`
  return [
    'folder=$1; seconds=$2; inner=$3; shift 3',
    'owner=$(stat -c %u:%g "$folder") || exit 1',
    `chown -hR ${nobody}:${nobody} "$folder"`,
    'exec 3<&0',
    `timeout --foreground -s KILL "$seconds" unshare ${spaces} sh -c "$inner" sandbox "$@" </dev/null 3<&- &`,
    'keeper=$!',
    // A line on the input asks to end it now, and so does its end, when who asked is dead: the alarm
    // makes `timeout` think that its time is over.
    '(read -r word <&3; kill -ALRM "$keeper") >/dev/null 2>&1 &',
    'reader=$!',
    'wait "$keeper"',
    'code=$?',
    'kill "$reader" 2>/dev/null',
    'chown -hR "$owner" "$folder"',
    'exit $code',
  ].join('\n')
}
