import type { Git } from './git.ts'

export interface Person {
  readonly name: string
  readonly email: string
  /** ISO 8601, UTC, whole seconds. */
  readonly date: string
}

export interface Commit {
  readonly sha: string
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Person
  readonly committer: Person
  readonly message: string
}

export interface ChangedFile {
  readonly path: string
  readonly previousPath: string | null
  readonly sha: string
  readonly status: 'added' | 'removed' | 'modified' | 'renamed'
  readonly additions: number
  readonly deletions: number
  /** Hunks only; empty for binary files and pure renames. */
  readonly patch: string
}

export interface CommitPage {
  readonly skip?: number
  readonly limit?: number
  readonly path?: string
}

const fields = ['%H', '%T', '%P', '%an', '%ae', '%ad', '%cn', '%ce', '%cd', '%B']

/** Commits of a hash, or of a range `a..b` of hashes, newest first. */
export async function readCommits(
  git: Git,
  range: string,
  { skip = 0, limit = 250, path }: CommitPage = {},
): Promise<readonly Commit[]> {
  const text = await git.output(
    'log',
    `--format=${fields.join('%x00')}%x1e`,
    '--date=format-local:%Y-%m-%dT%H:%M:%SZ',
    `--skip=${skip}`,
    `--max-count=${limit}`,
    range,
    '--',
    ...(path === undefined ? [] : [path]),
  )
  return text
    .split('\x1e')
    .map((entry) => entry.replace(/^\n/, ''))
    .filter(Boolean)
    .map(readCommit)
}

function readCommit(entry: string): Commit {
  const [sha = '', tree = '', parents = '', ...rest] = entry.split('\0')
  const person = (at: number): Person => {
    const [name = '', email = '', date = ''] = rest.slice(at)
    return { name, email, date }
  }
  return {
    sha,
    tree,
    parents: parents.split(' ').filter(Boolean),
    author: person(0),
    committer: person(3),
    message: (rest[6] ?? '').trimEnd(),
  }
}

const statuses: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  D: 'removed',
  R: 'renamed',
}

/** Combines three views of one diff between two commits, all in the same order. */
export async function readChanges(
  git: Git,
  from: string,
  to: string,
): Promise<readonly ChangedFile[]> {
  const diff = (...args: readonly string[]): Promise<string> =>
    git.output('diff', '-M', '--no-abbrev', '--no-ext-diff', ...args, from, to)
  const raw = (await diff('--raw', '-z')).split('\0')
  const counts = (await diff('--numstat')).split('\n')
  const patches = (await diff('-p')).split(/^diff --git /m).slice(1)
  const changes: ChangedFile[] = []
  for (let at = 0; at + 1 < raw.length; ) {
    const [, , oldSha = '', newSha = '', letters = ''] = (raw[at] ?? '').split(' ')
    const renamed = letters.startsWith('R')
    const [additions, deletions] = (counts[changes.length] ?? '').split('\t')
    changes.push({
      path: raw[at + (renamed ? 2 : 1)] ?? '',
      previousPath: renamed ? (raw[at + 1] ?? '') : null,
      sha: letters === 'D' ? oldSha : newSha,
      status: statuses[letters.charAt(0)] ?? 'modified',
      additions: Number(additions) || 0,
      deletions: Number(deletions) || 0,
      patch: /^@@[\s\S]*/m.exec(patches[changes.length] ?? '')?.[0].trimEnd() ?? '',
    })
    at += renamed ? 3 : 2
  }
  return changes
}

/** The size of a branch's change since it left its base. */
export async function readFigures(
  git: Git,
  base: string,
  head: string,
): Promise<{
  readonly changedFiles: number
  readonly additions: number
  readonly deletions: number
}> {
  const diff = ['diff', '-M', '--numstat']
  const since = await git.run([...diff, '--merge-base', base, head])
  // A branch may have been pushed over with another history.
  const text = since.exitCode === 0 ? since.stdout : await git.output(...diff, base, head)
  const rows = text.split('\n').filter(Boolean)
  const sum = (column: number): number =>
    rows.reduce((total, row) => total + (Number(row.split('\t')[column]) || 0), 0)
  return { changedFiles: rows.length, additions: sum(0), deletions: sum(1) }
}
