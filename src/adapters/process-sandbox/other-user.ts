import { existsSync } from 'node:fs'
import { isInside } from '../lent-folder.ts'
import { homeInOwnTree, type Isolation } from './isolation.ts'
import { outermost, type Toolchain } from './toolchain.ts'

/** `nobody`: owns nothing, and exists everywhere. */
const nobody = 65534

/** Places where everybody may write. */
const openToAll: readonly string[] = ['/tmp', '/var/tmp', '/dev/shm']

/** A shell script whose data travel as arguments, so that no path is ever read as shell. */
function createScript() {
  const words: string[] = []
  const lines: string[] = []
  return {
    words,
    lines,
    word: (text: string | number): string => `"\${${words.push(String(text))}}"`,
  }
}

/**
 * For machines that refuse namespaces to ordinary users but let us become root without a
 * password (GitHub's hosted runners): root makes the namespaces and a file tree in which home,
 * checkout, caches and temporary files are empty, then steps down to a user that owns nothing.
 * The folder belongs to that user while the command runs. Root also keeps the time, since a
 * process of another user is not ours to kill.
 */
export function otherUser(
  toolchain: Toolchain,
  hidden: readonly string[],
  isRoot: boolean,
  memory: number,
): Isolation {
  const covers = outermost(['/tmp', '/var/tmp', '/dev/shm', ...hidden].filter(existsSync))
  const isCovered = (path: string): boolean => covers.some((cover) => isInside(path, cover))
  return {
    kind: 'other-user',
    network: 'none',
    ownTree: true,
    ending: 'kept',
    wrap({ argv, folder, directory, env, network, mounts, timeoutSeconds }) {
      const tools = toolchain.readOnly.filter(isCovered).map((path) => ({ from: path, to: path }))
      const shown = [...tools, { from: folder, to: folder }, ...mounts]
      const { words, lines, word } = createScript()
      lines.push('set -e', 'mount -t tmpfs -o mode=755 none /mnt')
      shown.forEach(({ from }, index) => {
        const [source, stage] = [word(from), `/mnt/${index}`]
        lines.push(
          `if [ -d ${source} ]; then mkdir ${stage}; else : > ${stage}; fi`,
          `mount --bind ${source} ${stage}`,
        )
      })
      for (const cover of covers) {
        const mode = openToAll.includes(cover) ? '1777' : '755'
        const size = Math.floor(memory / 2)
        lines.push(`mount -t tmpfs -o mode=${mode},size=${size} none ${word(cover)}`)
      }
      shown.forEach(({ to }, index) => {
        const [stage, target] = [`/mnt/${index}`, word(to)]
        lines.push(
          `if [ -d ${stage} ]; then mkdir -p ${target}; elif [ ! -e ${target} ]; then mkdir -p "$(dirname ${target})"; : > ${target}; fi`,
          `mount --bind ${stage} ${target}`,
          ...(to === folder ? [] : [`mount -o remount,bind,ro ${target}`]),
        )
      })
      lines.push(
        'umount -R -l /mnt',
        `mkdir -m 700 ${homeInOwnTree}; chown ${nobody}:${nobody} ${homeInOwnTree}`,
        ...(network ? [] : ['ip link set lo up 2>/dev/null || true']),
        `cd ${word(directory)}`,
      )
      const variables = Object.entries(env).map(([name, value]) => word(`${name}=${value}`))
      const command = argv.map(word)
      const stepDown = `setpriv --reuid ${nobody} --regid ${nobody} --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all`
      lines.push(
        'set +e',
        `env -i ${variables.join(' ')} ${stepDown} -- ${command.join(' ')}`,
        'exit $?',
      )
      return [
        ...(isRoot ? [] : ['sudo', '-n', '--']),
        ...['sh', '-c', outerScript(network), 'sandbox'],
        ...[folder, String(timeoutSeconds), lines.join('\n'), ...words],
      ]
    },
  }
}

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
