/** The code of one commit, found by words and imports. Every path is one of those that were asked about. */
export interface CodeIndex {
  /** The parts that hold a word (`indexWords`), in no order. */
  partsWith(word: string): readonly FoundPart[]
  /** The files that import this one, by path. Exact where imports name paths, else by the last two names. */
  importers(path: string): readonly string[]
  /** Earlier commits, newest first; empty where git cannot list them. */
  readonly commits: readonly PastCommit[]
}

export interface FoundPart {
  readonly path: string
  /** Lines from 1, inclusive. */
  readonly first: number
  readonly last: number
  /** How much the part is about the word (BM25); higher is better. */
  readonly score: number
}

/** Its words rank files; the subject is shown of the last commit of a named file. */
export interface PastCommit {
  /** Its subject, as it is in the commit. */
  readonly title: string
  /** Of its subject. */
  readonly words: readonly string[]
  readonly paths: readonly string[]
}
