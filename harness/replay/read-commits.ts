import type { FileChange } from '../answer.ts'
import { git, gitBytes } from '../git.ts'
import { isOddMode, passOverFiles, passOverTexts, type RealCommit } from './real-commit.ts'

export interface ReadCommits {
  readonly chosen: readonly RealCommit[]
  /** How many were passed over, by reason. */
  readonly passedOver: Readonly<Record<string, number>>
}

/**
 * The newest commits by first parent that touch code and tests, without merges.
 *
 * @param refuse why no case is made of this commit, or `null`
 */
export async function readCommits(
  repository: string,
  count: number,
  refuse: (commit: RealCommit) => string | null,
): Promise<ReadCommits> {
  const listed = await git(repository, 'log', '--first-parent', '--no-merges', '--format=%H %P %s')
  const chosen: RealCommit[] = []
  const passedOver: Record<string, number> = {}
  for (const line of listed.split('\n').filter(Boolean)) {
    if (chosen.length === count) break
    const [sha = '', parent = '', ...words] = line.split(' ')
    const read = await readCommit(repository, { sha, parent, subject: words.join(' ') })
    const reason = typeof read === 'string' ? read : refuse(read)
    if (reason !== null) passedOver[reason] = (passedOver[reason] ?? 0) + 1
    else if (typeof read !== 'string') chosen.push(read)
  }
  return { chosen, passedOver }
}

/** One commit, or why it is passed over. */
export async function readOneCommit(
  repository: string,
  name: string,
): Promise<RealCommit | string> {
  const line = await git(repository, 'log', '--max-count=1', '--format=%H %P %s', name, '--')
  const [sha = '', parent = '', ...words] = line.split(' ')
  return readCommit(repository, { sha, parent, subject: words.join(' ') })
}

async function readCommit(
  repository: string,
  commit: Omit<RealCommit, 'files'>,
): Promise<RealCommit | string> {
  if (!/^[0-9a-f]{40,}$/.test(commit.parent)) return 'the first commit'
  const range = [commit.parent, commit.sha]
  const raw = await git(
    repository,
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--no-abbrev',
    ...range,
  )
  const listed = [...raw.matchAll(/:(\d+) (\d+) (\w+) (\w+) \w\0([^\0]+)\0/g)].map(
    ([, modeBefore = '', modeAfter = '', blobBefore = '', blobAfter = '', path = '']) => ({
      ...{ path, modeBefore, modeAfter, blobBefore, blobAfter },
    }),
  )
  const byFiles = passOverFiles(listed)
  if (byFiles !== null) return byFiles
  const files: FileChange[] = []
  for (const { path, blobBefore, blobAfter, ...modes } of listed) {
    const before = await readText(repository, blobBefore)
    const after = await readText(repository, blobAfter)
    if (before === 'no text' || after === 'no text') return passOverTexts(null) ?? ''
    if (isOddMode(modes, after?.text ?? null)) return 'a mode that its text does not say'
    files.push({ path, before: before?.text ?? null, after: after?.text ?? null })
  }
  return passOverTexts(files) ?? { ...commit, files }
}

async function readText(
  repository: string,
  blob: string,
): Promise<{ readonly text: string } | null | 'no text'> {
  if (/^0+$/.test(blob)) return null
  const bytes = await gitBytes(repository, 'cat-file', 'blob', blob)
  const text = bytes.toString('utf8')
  return bytes.includes(0) || !Buffer.from(text).equals(bytes) ? 'no text' : { text }
}
