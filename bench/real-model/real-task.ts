/** A task for a real model: a repository where one test is red, and how to tell whether it is right. */

export interface RealTask {
  /** Its name in the set that it comes from: `HumanEval/13`, `python/bowling`. */
  readonly id: string
  /** Its id in ROADMAP.md. */
  readonly roadmapId: string
  /** What ROADMAP.md says of it. */
  readonly text: string
  /** The repository that it starts in; tasks of one repository name the same one. */
  readonly start: Start
  /** Files that a solution is written to. */
  readonly files: readonly string[]
  /** Its tests, and other files that a person would show. */
  readonly shown: readonly string[]
  /** Put back before the result is judged, or removed where the start has none. */
  readonly guarded: readonly string[]
  /** Runs only this task's tests. */
  readonly command: string
}

/** A repository to start from. */
export interface Start {
  readonly name: string
  /** Texts by path, or a folder that is copied. */
  readonly from: ReadonlyMap<string, string> | { readonly folder: string }
  /** Installed packages, linked into each copy. */
  readonly modules?: string
}

/** Which tasks of a set are played. */
export interface Choice {
  readonly n: number
  readonly part: 'odd' | 'even' | null
  readonly seed: number
  readonly language: string
  /** A folder for installed packages, kept from one bench to the next. */
  readonly cache: string
}

export type TaskReader = (folder: string, choice: Choice) => Promise<readonly RealTask[]>
