import type { ChangeSet } from './change-set.ts'

export interface TreeEntry {
  readonly path: string
  readonly mode: '100644' | '100755' | '120000' | '160000'
  /** In bytes; 0 for links to other repositories. */
  readonly size: number
}

/** A plain folder without `.git` that holds one commit's files, and later a change set. */
export interface Folder {
  readonly name: string
  /** Absolute. */
  readonly path: string
  /** The commit it was made from. */
  readonly sha: string
}

export type WriteResult =
  | { readonly status: 'written' }
  | { readonly status: 'refused'; readonly path: string; readonly reason: string }

export interface DiffEntry {
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type_changed'
  readonly path: string
  /** Before a rename; otherwise equal to `path`. */
  readonly oldPath: string
  readonly oldMode: string
  readonly newMode: string
}

/** Commits to read and folders to run them in; a workspace has such trees. */
export interface Trees {
  listFiles(sha: string): Promise<readonly TreeEntry[]>
  /** UTF-8 text of those paths that exist at the commit, are regular files, and are text of at most 1 MB. */
  readFiles(sha: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The folder with this name, holding exactly this commit's files. */
  checkOut(name: string, sha: string): Promise<Folder>
  /** Reads text files of a folder from disk. */
  readFolder(folder: Folder, paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** All or nothing; follows no symlink, and restores the folder on a refusal. */
  write(folder: Folder, changes: ChangeSet): Promise<WriteResult>
  /** Removes the folder with this name, if it exists. */
  discard(name: string): Promise<void>
}
