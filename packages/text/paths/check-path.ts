import { foldName } from '../words/names.ts'

export type PathCheck =
  | { readonly status: 'ok'; readonly path: string }
  | { readonly status: 'refused'; readonly reason: string }

/** Limits in UTF-8 bytes: of ext4, APFS and NTFS for a name, of git for Windows for a path. */
const longestName = 255
const longestPath = 1_024

interface Rule {
  readonly reason: string
  readonly breaks: (text: string) => boolean
}

const pathRules: readonly Rule[] = [
  { reason: 'the path is empty', breaks: (path) => path.trim() === '' },
  { reason: 'the path is too long', breaks: (path) => byteLength(path) > longestPath },
  { reason: 'the path has control characters', breaks: (path) => /\p{Cc}/u.test(path) },
  { reason: 'the path is not valid Unicode text', breaks: (path) => !path.isWellFormed() },
  {
    reason: 'the path has invisible characters',
    breaks: (path) =>
      /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(path),
  },
  { reason: 'the path has backslashes; write /', breaks: (path) => path.includes('\\') },
  {
    reason: 'the path is absolute; start at the repository',
    breaks: (path) => /^(?:\/|[A-Za-z]:)/.test(path),
  },
  { reason: 'the path is a folder, not a file', breaks: (path) => /(?:^|\/)\.?\/?$/.test(path) },
  {
    reason: 'the path starts like an option or a home folder',
    breaks: (path) => /^(?:\.?\/)*[-~]/.test(path),
  },
]

const nameRules: readonly Rule[] = [
  { reason: 'the path leads out of the repository', breaks: (name) => name === '..' },
  { reason: 'the path reaches into .git', breaks: looksLikeGit },
  { reason: 'a name in the path is too long', breaks: (name) => byteLength(name) > longestName },
  {
    reason: 'a name in the path begins or ends with a space',
    breaks: (name) => name !== name.trim(),
  },
  { reason: 'a name in the path ends with a dot', breaks: (name) => name.endsWith('.') },
  {
    reason: 'a name in the path has one of < > : " | ? *',
    breaks: (name) => /[<>:"|?*]/.test(name),
  },
  {
    reason: 'a name in the path is reserved on Windows',
    breaks: (name) =>
      /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i.test(name),
  },
]

/**
 * Turns a path from a model into one that is inside the repository on every file system, or gives
 * the reason why it is not. Simplifies `./a` and `a//b`; repairs nothing else.
 */
export function checkPath(path: string): PathCheck {
  const broken = pathRules.find((rule) => rule.breaks(path))
  if (broken) return { status: 'refused', reason: broken.reason }
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  for (const name of names) {
    const rule = nameRules.find((each) => each.breaks(name))
    if (rule) return { status: 'refused', reason: rule.reason }
  }
  return { status: 'ok', path: names.join('/') }
}

/** Some file system reads it as `.git`: any case, trailing dots and spaces, streams, 8.3 names. */
function looksLikeGit(name: string): boolean {
  const folded = foldName(name).replace(/\p{M}/gu, '')
  const plain =
    folded
      .split(':', 1)[0]
      ?.replace(/[. ]+$/, '')
      .trim() ?? ''
  return plain === '.git' || /^gi[a-z0-9]{0,6}~[0-9]+$/.test(plain)
}

const byteLength = (text: string): number => Buffer.byteLength(text)

/** The checked form of a path; a refused path stays unchanged. */
export function plainPath(path: string): string {
  const checked = checkPath(path)
  return checked.status === 'ok' ? checked.path : path
}
