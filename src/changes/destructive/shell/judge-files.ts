import { type Harm, isKnown } from '../finding.ts'
import { type Call, harm, harmless, isPlainFile } from './call.ts'

/** Folders of the system: rights or owners changed there break the machine. */
const systemFolder =
  /^(?:\/|~\/?|\/(?:home|opt|srv|root|var|mnt|media|Users)\/?\*?|\/(?:etc|usr|bin|sbin|lib|lib64|boot|dev|sys|proc|System|Library)(?:\/.*)?|\/\*|[A-Za-z]:\\?)$/

const everything = 'It deletes folders with everything in them.'
const several = 'It deletes files that are only known when it runs.'

/** Commands that delete or overwrite files and disks. */
export function judgeFiles(call: Call): readonly Harm[] {
  const { program, operands, words } = call
  const find = (why: string) => harm('filesystem', why)
  switch (program) {
    case 'rm':
      if (call.has('-r', '-R', '--recursive')) return find(everything)
      return operands.every(isPlainFile) ? harmless : find(several)
    case 'unlink':
    case 'srm':
      return operands.every(isPlainFile) ? harmless : find(several)
    case 'rmdir':
    case 'rd':
      if (words.some((word) => /^\/s$/i.test(word))) return find(everything)
      return operands.every(isPlainFile)
        ? harmless
        : find('It deletes a folder that is only known when it runs.')
    case 'del':
    case 'erase':
      return words.some((word) => /^\/[sqf]$/i.test(word)) || !operands.every(isPlainFile)
        ? find('It deletes files without asking.')
        : harmless
    case 'deltree':
      return find(everything)
    case 'rimraf':
    case 'del-cli':
    case 'rm-rf':
      return operands.length > 0 ? find(everything) : harmless
    case 'find':
    case 'fd':
      return words.includes('-delete')
        ? find('It deletes every file that the search finds.')
        : harmless
    case 'rsync':
      return words.some((word) => /^--(?:del(?:ete)?(?:-.*)?|remove-source-files)$/.test(word))
        ? find('It deletes files that the other side does not have.')
        : harmless
    case 'robocopy':
      return words.some((word) => /^\/(?:mir|purge|move?)$/i.test(word))
        ? find('It deletes files that the other side does not have.')
        : harmless
    case 'mv':
      return operands.at(-1) === '/dev/null' ? find('It throws files away.') : harmless
    case 'truncate':
      return /^[<]?0[KMGkmgB]?$/.test(call.value('-s', '--size') ?? '')
        ? find('It empties a file.')
        : harmless
    case 'chmod':
      return judgeRights(call)
    case 'chown':
    case 'chgrp':
      return call.has('-R', '--recursive') && operands.slice(1).some(isSystemFolder)
        ? find('It changes the owner of whole folders of the system.')
        : harmless
    case 'git-clean':
      return harmless
    default:
      return isRemoveItem(call) ? find(everything) : judgeDisks(call)
  }
}

/** The path, or one that could be anything: a variable alone. */
const isSystemFolder = (path: string): boolean => systemFolder.test(path) || !isKnown(path[0] ?? '')

function judgeRights(call: Call): readonly Harm[] {
  const [mode = '', ...paths] = call.operands
  if (!call.has('-R', '--recursive')) return harmless
  const isOpen = /^0?(?:777|000|0)$|^(?:a|ugo)?[+=]rwx$/.test(mode)
  return isOpen || paths.some((path) => systemFolder.test(path))
    ? harm(
        'filesystem',
        'It changes the rights of whole folders, and nothing remembers the old ones.',
      )
    : harmless
}

/** PowerShell's. Its names and options know no case. */
function isRemoveItem({ program, words }: Call): boolean {
  if (!/^(?:remove-item|ri)$/i.test(program)) return false
  return words.some((word) => /^-(?:r|rec|recurse|force|fo)$/i.test(word))
}

const disks: ReadonlyMap<string, (call: Call) => boolean> = new Map<
  string,
  (call: Call) => boolean
>([
  ['shred', ({ operands }) => operands.length > 0],
  ['wipe', ({ operands }) => operands.length > 0],
  ['wipefs', (call) => call.has('-a', '--all', '-o', '--offset')],
  ['blkdiscard', () => true],
  ['fdisk', (call) => !call.has('-l', '--list')],
  ['sfdisk', (call) => !call.has('-l', '-d', '--list', '--dump')],
  [
    'sgdisk',
    (call) => call.has('-Z', '-z', '-o', '-d', '--zap-all', '--zap', '--clear', '--delete'),
  ],
  [
    'parted',
    ({ words }) => words.some((word) => /^(?:mklabel|mktable|mkpart|rm|resizepart)$/.test(word)),
  ],
  ['dd', ({ words }) => words.some((word) => /^of=(?!\/dev\/(?:null|stdout|stderr)$)/.test(word))],
  [
    'diskutil',
    ({ words }) =>
      /^(?:erase\w*|reformat|zeroDisk|secureErase|partitionDisk)$/i.test(words[0] ?? ''),
  ],
  ['format', ({ words }) => words.some((word) => /^[A-Za-z]:$/.test(word))],
  ['diskpart', () => true],
  ['zfs', ({ words }) => words[0] === 'destroy' || words[0] === 'rollback'],
  ['zpool', ({ words }) => words[0] === 'destroy' || words[0] === 'labelclear'],
  ['btrfs', ({ words }) => words[0] === 'subvolume' && words[1] === 'delete'],
  ['lvremove', () => true],
  ['vgremove', () => true],
  ['pvremove', () => true],
  [
    'cryptsetup',
    ({ words }) => words.some((word) => /^(?:luksFormat|erase|luksErase|luksKillSlot)$/.test(word)),
  ],
  ['mdadm', (call) => call.has('--zero-superblock')],
  ['hdparm', (call) => call.has('--security-erase', '--security-erase-enhanced')],
  ['nvme', ({ words }) => words[0] === 'format' || words[0] === 'sanitize'],
  ['badblocks', (call) => call.has('-w')],
  ['vssadmin', ({ words }) => /^delete$/i.test(words[0] ?? '')],
  ['cipher', ({ words }) => words.some((word) => /^\/w/i.test(word))],
])

function judgeDisks(call: Call): readonly Harm[] {
  const isMaker = /^(?:mkfs(?:\.\w+)?|mke2fs|mkswap|newfs)$/.test(call.program)
  return isMaker || disks.get(call.program)?.(call)
    ? harm('filesystem', 'It overwrites files or a whole disk.')
    : harmless
}
