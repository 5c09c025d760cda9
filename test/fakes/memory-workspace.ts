import { createHash } from 'node:crypto'
import { applyPatch, createTwoFilesPatch } from 'diff'
import { type ChangeSet, contentAfter } from '../../packages/change/change-set.ts'
import type { DiffEntry, Folder, WriteResult } from '../../packages/change/trees.ts'
import { keptRefOf } from '../../src/core/domain/branches.ts'
import type {
  BranchTip,
  CommitRecord,
  CommitRequest,
  GrepQuery,
  GrepResult,
  PublishResult,
  RepositoryView,
  Workspace,
} from '../../src/core/ports/workspace.ts'

export type Files = Readonly<Record<string, string>>

export interface MemoryWorkspaceOptions {
  /** What the base commit holds. */
  readonly files: Files
  /** `main` when not said. */
  readonly base?: string
  /** The time of a commit, which makes it another one; always the same when not given. */
  readonly now?: () => string
  /** What publishing answers instead of doing it; `null` lets it through. */
  readonly refuse?: (branch: string) => PublishResult | null
}

export interface MemoryWorkspace extends Workspace {
  /** Somebody else's commit on a branch; it grows from the base, or is the base when so named. */
  push(branch: string, files: Files, message?: string): string
  /** The forge merges this commit into a branch, and has no conflict with it; the merge commit. */
  land(branch: string, sha: string): string
  /** Of another process, at the same repository: it has no folders, and nothing was refreshed. */
  another(): MemoryWorkspace
  /** The forge keeps this commit as the head of a pull request. */
  keepPullRequest(number: number, sha: string): void
  /** The sha of a branch as the repository has it. */
  head(branch: string): string | null
  /** All files of a commit. */
  filesAt(sha: string): Files
  /** A commit's message and parents. */
  commitAt(sha: string): Pick<CommitRequest, 'message' | 'parents'>
  /** What is in a folder now. */
  filesIn(name: string): Files
  /** Puts a text into a folder from outside; `null` removes it. */
  disturb(name: string, path: string, text: string | null): void
}

interface Commit {
  readonly files: ReadonlyMap<string, string>
  readonly message: string
  readonly parents: readonly string[]
  readonly at?: string | undefined
}

/** What all processes see. */
const emptyRepository = () => ({
  commits: new Map<string, Commit>(),
  branches: new Map<string, string>(),
  parked: new Map<string, string>(),
  pullHeads: new Map<number, string>(),
})

/** git, less git: commits, folders and branches as maps. Everything is a regular text file. */
export function createMemoryWorkspace(
  options: MemoryWorkspaceOptions,
  repository = emptyRepository(),
): MemoryWorkspace {
  const base = options.base ?? 'main'
  const { commits, branches, parked, pullHeads } = repository
  const folders = new Map<string, { folder: Folder; files: Map<string, string> }>()

  const add = (commit: Commit): string => {
    const { files, message, parents, at } = commit
    const identity = JSON.stringify([[...files].sort(), message, parents, at])
    const sha = createHash('sha1').update(identity).digest('hex')
    commits.set(sha, commit)
    return sha
  }
  const at = (sha: string): Commit => {
    const commit = commits.get(sha)
    if (commit === undefined) throw new Error(`no commit ${sha}`)
    return commit
  }
  const contains = (sha: string, ancestor: string): boolean =>
    sha === ancestor || at(sha).parents.some((parent) => contains(parent, ancestor))
  const ancestors = (sha: string): readonly string[] => [
    sha,
    ...(commits.get(sha)?.parents ?? []).flatMap(ancestors),
  ]
  const baseOf = (a: string, b: string): string | null => {
    const common = ancestors(a).filter((sha) => commits.has(b) && contains(b, sha))
    return common.find((sha) => !common.some((e) => e !== sha && contains(e, sha))) ?? null
  }
  const filesIn = (name: string): Map<string, string> => folders.get(name)?.files ?? new Map()

  const root = add({ files: new Map(Object.entries(options.files)), message: 'start', parents: [] })
  if (!branches.has(base)) branches.set(base, root)

  let view: RepositoryView | null = null
  const refresh = async (): Promise<RepositoryView> => {
    const ours = [...branches].filter(([name]) =>
      /^(?:(agent|executor\/recovery|refs\/executor\/kept)\/|executor\/routing)/.test(name),
    )
    view = {
      base: { branch: base, sha: branches.get(base) ?? root },
      branches: ours.map(([name, sha]) => tipOf(name, sha, at(sha))),
    }
    return view
  }

  return {
    refresh,
    view: async () => view ?? refresh(),
    async listFiles(sha) {
      return [...at(sha).files].map(([path, text]) => ({
        path,
        mode: '100644',
        size: Buffer.byteLength(text),
      }))
    },
    readFiles: async (sha, paths) => only(at(sha).files, paths),
    contains: async (sha, ancestor) => contains(sha, ancestor),
    async checkOut(name, sha) {
      const folder = { name, path: `/memory/folders/${name}`, sha }
      folders.set(name, { folder, files: new Map(at(sha).files) })
      return folder
    },
    folder: (name) => folders.get(name)?.folder ?? null,
    readFolder: async (folder, paths) => only(filesIn(folder.name), paths),
    async write(folder, changes) {
      const files = new Map(filesIn(folder.name))
      const refused = applyAll(files, changes)
      const there = folders.get(folder.name)
      if (there && refused === null) folders.set(folder.name, { ...there, files })
      return refused ?? { status: 'written' }
    },
    diff: async (folder) =>
      compare(at(folder.sha).files, filesIn(folder.name)).flatMap(withoutRenaming),
    patch: async (from, to) => patchOf(at(from).files, at(to).files),
    changedBetween: async (from, to) => compare(at(from).files, at(to).files),
    grep: async (sha, changes, query) => search(changed(at(sha).files, changes), query),
    async commit({ parents, changes, message }) {
      const files = changed(at(parents[0] ?? '').files, changes)
      return add({ files, message, parents, at: options.now?.() })
    },
    async publish(branch, sha, expected) {
      if (!/^(agent|executor)(\/\w[\w.-]*)+$/.test(branch) || /\.\.|\.lock$/.test(branch)) {
        throw new Error(`not a branch of ours: ${branch}`)
      }
      const refusal = options.refuse?.(branch)
      if (refusal) return refusal
      const now = branches.get(branch) ?? null
      if (now === sha) return { status: 'published' }
      if (now !== expected || (now !== null && !contains(sha, now))) {
        return { status: 'moved', sha: now ?? '' }
      }
      branches.set(branch, sha)
      return { status: 'published' }
    },
    async discard(name) {
      folders.delete(name)
    },
    fetch: async (wanted) =>
      new Map([...pullHeads].filter(([number]) => wanted.pullRequests.includes(number))),
    async ancestor(sha, steps) {
      let now: string | undefined = sha
      for (let step = 0; step < steps && now !== undefined; step += 1) {
        now = commits.get(now)?.parents[0]
      }
      return now !== undefined && commits.has(now) ? now : null
    },
    mergeBase: async (a, b) => baseOf(a, b),
    async merge({ ours, theirs, message, strategy, resolve }) {
      if (contains(ours, theirs)) return { status: 'nothing_to_merge' }
      const parents = [ours, theirs]
      const own = at(ours).files
      if (strategy === 'ours') {
        return { status: 'merged', sha: add({ files: own, message, parents }) }
      }
      const start = baseOf(ours, theirs)
      if (start === null) return { status: 'conflict', paths: [] }
      const { files, conflicts } = joinFiles(at(start).files, own, at(theirs).files, resolve)
      return conflicts.length > 0
        ? { status: 'conflict', paths: conflicts }
        : { status: 'merged', sha: add({ files, message, parents }) }
    },
    async history(sha, { without, having }) {
      const hidden = new Set(without === undefined ? [] : ancestors(without))
      const line: string[] = []
      for (let now: string | undefined = sha; now !== undefined; now = at(now).parents[0]) {
        line.push(now)
      }
      const wanted = having === undefined ? line : [...new Set(ancestors(sha))]
      return wanted
        .filter((each) => !hidden.has(each))
        .map((each) => recordOf(each, at(each)))
        .filter(({ trailers }) => having === undefined || trailers[having.name] === having.value)
    },
    async revert({ onto, commit, also, message }) {
      const parent = at(at(commit).parents[0] ?? '')
      const own = at(onto).files
      const { files, conflicts } = joinFiles(at(commit).files, own, parent.files, new Map())
      if (conflicts.length > 0) return { status: 'conflict', paths: conflicts }
      if (compare(own, files).length === 0) return { status: 'nothing_to_merge' }
      return { status: 'merged', sha: add({ files, message, parents: [onto, ...also] }) }
    },
    async park(name, text) {
      if (!/^[A-Za-z0-9][\w.-]{0,79}$/.test(name) || /\.\.|\.$|\.lock$/i.test(name)) {
        throw new Error(`not a name to park under: ${name}`)
      }
      if (Buffer.byteLength(text ?? '') > 4 * 1024 * 1024) {
        return { status: 'refused', code: 'forge_denied', detail: 'too long' }
      }
      if (text === null) parked.delete(name)
      else parked.set(name, text)
      return { status: 'published' }
    },
    parked: async () => new Map(parked),
    async keep(task, sha, how) {
      const refusal = options.refuse?.(keptRefOf(task, sha))
      if (refusal) return refusal
      if (how === 'forget') branches.delete(keptRefOf(task, sha))
      else branches.set(keptRefOf(task, sha), sha)
      return { status: 'published' }
    },
    async compare({ ours, theirs, base }) {
      const start = baseOf(ours, theirs)
      const side = (sha: string, others: readonly string[]) => {
        const hidden = new Set(others.flatMap(ancestors))
        const line = (from: string): readonly string[] => [
          from,
          ...at(from).parents.slice(0, 1).flatMap(line),
        ]
        const all = sha === ours ? line(sha) : [...new Set(ancestors(sha))]
        const found = all.filter((each) => !hidden.has(each))
        const commits = found.map((each) => {
          const { title, committer } = recordOf(each, at(each))
          return { sha: each, title, author: committer.startsWith('ada') ? 'Ada' : 'executor' }
        })
        const parting = start ?? base
        const files = compare(at(parting).files, at(sha).files).map(({ path, oldPath }) => {
          const [old, now] = [at(parting).files.get(oldPath), at(sha).files.get(path)].map(linesOf)
          const added = now?.filter((line) => !old?.includes(line)).length ?? 0
          return {
            ...{ path, from: oldPath, added },
            removed: old?.filter((line) => !now?.includes(line)).length ?? 0,
          }
        })
        return { commits, count: commits.length, files }
      }
      const sides = { ours: side(ours, [theirs, base]), theirs: side(theirs, [ours, base]) }
      if (start === null) return { ...sides, merge: { status: 'unrelated' } }
      const own = at(ours).files
      const { conflicts } = joinFiles(at(start).files, own, at(theirs).files, new Map())
      if (conflicts.length === 0) return { ...sides, merge: { status: 'clean' } }
      return { ...sides, merge: { status: 'conflict', paths: conflicts, hunk: null } }
    },
    land(branch, sha) {
      const ours = branches.get(branch) ?? root
      const [start, own, theirs] = [baseOf(ours, sha) ?? root, ours, sha].map(
        (each) => at(each).files,
      )
      if (!start || !own || !theirs) throw new Error('three sides make a merge')
      const inBoth = [...own.keys()].filter((path) => theirs.has(path))
      const joined = inBoth.map((path) => [path, joinTexts(path, [start, own, theirs])] as const)
      const { files, conflicts } = joinFiles(start, own, theirs, new Map(joined))
      if (conflicts.length > 0) throw new Error(`${branch} conflicts in ${conflicts.join(', ')}`)
      const merged = add({ files, message: 'Merge pull request', parents: [ours, sha] })
      branches.set(branch, merged)
      return merged
    },
    another: () => createMemoryWorkspace(options, repository),
    keepPullRequest(number, sha) {
      pullHeads.set(number, sha)
    },
    push(branch, files, message = 'by hand') {
      const parent = branches.get(base) ?? root
      const all = new Map([...at(parent).files, ...Object.entries(files)])
      const sha = add({ files: all, message, parents: [parent] })
      branches.set(branch, sha)
      return sha
    },
    head: (branch) => branches.get(branch) ?? null,
    filesAt: (sha) => Object.fromEntries(at(sha).files),
    commitAt: (sha) => at(sha),
    filesIn: (name) => Object.fromEntries(filesIn(name)),
    disturb(name, path, text) {
      if (text === null) filesIn(name).delete(path)
      else filesIn(name).set(path, text)
    },
  }
}

function tipOf(name: string, sha: string, { message, parents }: Commit): BranchTip {
  return { name, sha, parent: parents[0] ?? null, trailers: trailersOf(message) }
}

function trailersOf(message: string): Readonly<Record<string, string>> {
  const last = message.trim().split('\n\n').slice(1).at(-1) ?? ''
  const trailers = [...last.matchAll(/^([A-Za-z-]+): (.*)$/gm)].map(([, key, value]) => [
    key,
    value,
  ])
  return Object.fromEntries(trailers)
}

/** Who committed is told by the trailers alone here: a commit without them is a person's. */
function recordOf(sha: string, { message, parents }: Commit): CommitRecord {
  const trailers = trailersOf(message)
  const committer = trailers['Executor-Task'] === undefined ? 'ada@example.org' : 'bot@example.org'
  const [title = ''] = message.split('\n')
  return { sha, parents, title, committer, at: '2026-01-02T03:04:05.000Z', trailers }
}

const only = (
  files: ReadonlyMap<string, string>,
  paths: readonly string[],
): ReadonlyMap<string, string> => new Map([...files].filter(([path]) => paths.includes(path)))

type Refused = Extract<WriteResult, { status: 'refused' }>

/** Deletions first; stops at the first change that does not fit, so use a copy. */
function applyAll(files: Map<string, string>, changes: ChangeSet): Refused | null {
  const inOrder = [...changes].sort((a, b) => rank(a) - rank(b))
  for (const change of inOrder) {
    const reason = misfit(files, change)
    if (reason !== null) return { status: 'refused', path: change.path, reason }
    const content = contentAfter(change)
    if (content === undefined) files.delete(change.path)
    else files.set(change.path, content)
  }
  return null
}

/** The files with these changes on top, of which one that does not fit is a bug. */
function changed(before: ReadonlyMap<string, string>, changes: ChangeSet): Map<string, string> {
  const files = new Map(before)
  const refused = applyAll(
    files,
    changes.map((change) => trusting(files, change)),
  )
  if (refused) throw new Error(`cannot commit ${refused.path}: ${refused.reason}`)
  return files
}

/** Fixed text only: an expression is for git. */
function search(files: ReadonlyMap<string, string>, query: GrepQuery): GrepResult {
  const { patterns, kind, ignoresCase, under } = query
  if (kind === 'expression') return { status: 'refused', reason: 'the memory has no expressions' }
  const isUnder = (path: string) => under === '' || `${path}/`.startsWith(`${under}/`)
  const shown = [...files].filter(([path]) => isUnder(path) && !path.startsWith('.executor/'))
  if (shown.length === 0) return { status: 'refused', reason: `there is no ${under}` }
  const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text)
  const lines = shown.toSorted(byName).flatMap(([path, text]) =>
    linesOf(text)
      .map((each, index) => ({ path, line: index + 1, text: each.replace(/\r$/, '') }))
      .filter(({ text }) => patterns.some((pattern) => fold(text).includes(fold(pattern)))),
  )
  return { status: 'found', lines: lines.slice(0, 200), isCut: lines.length > 200 }
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number =>
  a < b ? -1 : 1

const rank = (change: ChangeSet[number]): number =>
  ['delete', 'modify', 'create'].indexOf(change.action)

function misfit(files: ReadonlyMap<string, string>, change: ChangeSet[number]): string | null {
  const { path } = change
  if (path === '' || path.startsWith('/') || path.includes('\0')) return 'bad path'
  const parts = path.split('/')
  if (parts.some((part) => ['', '.', '..'].includes(part) || /^\.git[. ]*$/i.test(part))) {
    return 'bad path'
  }
  if (parts.some((_, depth) => depth > 0 && files.has(parts.slice(0, depth).join('/')))) {
    return 'a file is in the way'
  }
  if ([...files.keys()].some((other) => other.startsWith(`${path}/`))) return 'it is a directory'
  if (change.action === 'create') return files.has(path) ? 'something of this name is there' : null
  return files.get(path) === change.before ? null : 'the file changed meanwhile'
}

/** A commit does not look at `before`, and a `create` may replace. */
function trusting(
  files: ReadonlyMap<string, string>,
  change: ChangeSet[number],
): ChangeSet[number] {
  const before = files.get(change.path)
  if (before === undefined) return change
  return change.action === 'delete'
    ? { ...change, before }
    : { action: 'modify', path: change.path, before, content: change.content }
}

/** Renames are seen where the text is exactly the same. */
function compare(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): DiffEntry[] {
  const gone = new Map([...before].filter(([path]) => !after.has(path)))
  const entries: DiffEntry[] = []
  for (const [path, text] of after) {
    const old = before.get(path)
    if (old === text) continue
    const oldPath = old === undefined ? [...gone].find(([, each]) => each === text)?.[0] : path
    if (oldPath !== undefined) gone.delete(oldPath)
    const status = old !== undefined ? 'modified' : oldPath === undefined ? 'added' : 'renamed'
    entries.push(entry(status, path, oldPath ?? path))
  }
  return [...entries, ...[...gone.keys()].map((path) => entry('deleted', path, path))]
}

function withoutRenaming(each: DiffEntry): readonly DiffEntry[] {
  const { status, path, oldPath } = each
  if (status !== 'renamed') return [each]
  return [entry('deleted', oldPath, oldPath), entry('added', path, path)]
}

function entry(status: DiffEntry['status'], path: string, oldPath: string): DiffEntry {
  const there = '100644'
  const none = '000000'
  return {
    status,
    path,
    oldPath,
    oldMode: status === 'added' ? none : there,
    newMode: status === 'deleted' ? none : there,
  }
}

/** Lines that went and came, without git's sense for what stayed between them. */
function patchOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string {
  return compare(before, after)
    .map(({ path, oldPath }) => {
      const old = linesOf(before.get(oldPath))
      const now = linesOf(after.get(path))
      return [
        `diff --git a/${oldPath} b/${path}`,
        `--- ${before.has(oldPath) ? `a/${oldPath}` : '/dev/null'}`,
        `+++ ${after.has(path) ? `b/${path}` : '/dev/null'}`,
        `@@ -1,${old.length} +1,${now.length} @@`,
        ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
        ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`),
      ].join('\n')
    })
    .join('\n')
}

const linesOf = (text = ''): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** What one side changed, done to the other. */
function joinTexts(path: string, sides: readonly ReadonlyMap<string, string>[]): string {
  const [start = '', ours = '', theirs = ''] = sides.map((files) => files.get(path))
  const joined = applyPatch(
    ours,
    createTwoFilesPatch(path, path, start, theirs, '', '', { context: 0 }),
  )
  if (joined === false) throw new Error(`both sides changed ${path}`)
  return joined
}

/** Three sides, whole files: two edits of one file never agree. */
function joinFiles(
  start: ReadonlyMap<string, string>,
  ours: ReadonlyMap<string, string>,
  theirs: ReadonlyMap<string, string>,
  resolve: ReadonlyMap<string, string>,
): { readonly files: Map<string, string>; readonly conflicts: readonly string[] } {
  const files = new Map<string, string>()
  const conflicts: string[] = []
  for (const path of new Set([...ours.keys(), ...theirs.keys()])) {
    const [old, our, their] = [start.get(path), ours.get(path), theirs.get(path)]
    const both = our !== undefined && their !== undefined
    const agreed = our === their || their === old ? our : their
    const text = our !== their && our !== old && their !== old ? resolve.get(path) : agreed
    if (our !== their && our !== old && their !== old && (!both || text === undefined)) {
      conflicts.push(path)
    } else if (text !== undefined) files.set(path, text)
  }
  return { files, conflicts: conflicts.sort() }
}
