/**
 * The second gate for paths: `safety` has judged them before, git judges them after. Here is only
 * what must hold for the write itself to stay inside the folder and out of any `.git`.
 */

/** What HFS+ ignores in a name; from git's `utf8.c`. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** Why nothing may be written at this path, or `null`. */
export function pathProblem(path: string): string | null {
  if (path === '') return 'the path is empty'
  if (path.includes('\0')) return 'the path holds a NUL'
  if (path.startsWith('/')) return 'the path is absolute'
  const parts = path.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'the path is not in its plain form'
  }
  if (parts.some(isGitDirectory)) return 'the path leads into a .git directory'
  return null
}

/** `.git` as Linux, macOS and Windows would read it. */
function isGitDirectory(part: string): boolean {
  const name = part
    .replace(ignorable, '')
    .replace(/[:\\].*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
  return name === '.git' || name === 'git~1'
}
