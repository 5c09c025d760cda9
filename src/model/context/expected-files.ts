import { posix } from 'node:path'
import type { CodeProblem } from '../../../packages/change/change.ts'
import { closestPath, followsVerb } from '../../../packages/source/source.ts'
import { looksLikePath } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { Settings } from '../../core/domain/settings.ts'

/** A file that the attempt should create, and the source that says so. */
export interface ExpectedFile {
  readonly path: string
  /** Its `**Files**` line, the task's words, or the words of the answer. */
  readonly by: 'scope' | 'task' | 'answer'
}

/**
 * Finds files that the task asks for, or that the answer says it wrote, and that neither the repository nor the
 * answer has; as problems for the model. Asks for a file of the `**Files**` line while repairs remain, and for one
 * that only prose names once.
 */
export function missingExpectedFiles(
  attempt: Attempt,
  paths: readonly string[],
  mayCreate: (path: string) => boolean,
  { limits }: Pick<Settings, 'limits'>,
): readonly CodeProblem[] {
  const isFirst = attempt.validationRepairs === 0 && attempt.testRepairs === 0
  const mayAsk = isFirst && limits.validationRepairs > 0
  return findMissingFiles(attempt, paths, mayCreate)
    .filter(({ by }) => by === 'scope' || mayAsk)
    .map(({ path, by }) => ({
      path,
      type: 'expected_file',
      message:
        by === 'answer'
          ? `Your answer says that ${path} was written, and it is not in it: send it as a whole file.`
          : `The task asks for ${path}, and it is not in your answer: send it as a whole file.`,
      line: 0,
      column: 0,
    }))
}

/** Every missing expected file, whether it can still be requested or not. */
export function findMissingFiles(
  attempt: Attempt,
  paths: readonly string[],
  mayCreate: (path: string) => boolean,
): readonly ExpectedFile[] {
  const { draft } = attempt
  if (draft === null || draft.changes.length === 0) return []
  const created = draft.changes.filter(({ action }) => action !== 'delete').map(({ path }) => path)
  const refused = new Set(draft.refusals.map(({ path }) => path))
  return expectedFiles(attempt, paths).filter(
    ({ path, by }) =>
      !refused.has(path) &&
      !isThere(path, paths) &&
      !created.some((other) => delivers(other, path, by)) &&
      mayCreate(path),
  )
}

function expectedFiles({ task, draft }: Attempt, paths: readonly string[]) {
  const prose = `${task.title}\n${task.details}`
  const listed = task.files
    .filter((path) => isFile(path) && closestPath(path, paths) === null)
    .filter((path) => !isTakenAway(path, prose))
  const asked = promisedPaths(prose, 'asked')
    .filter(({ path, isNew }) => isNew || closestPath(path, paths) === null)
    .map(({ path }) => path)
  const told = promisedPaths(draft?.summary ?? '', 'told').map(({ path }) => path)
  const found = new Map<string, ExpectedFile>()
  for (const [by, all] of [
    ['scope', listed],
    ['task', asked],
    ['answer', told],
  ] as const) {
    for (const path of all) if (!found.has(path)) found.set(path, { path, by })
  }
  return [...found.values()]
}

/** A path of the `**Files**` line that can only be a file: not a glob, not a folder. */
const isFile = (path: string): boolean =>
  !/[*?{}[\]!()]|\/$/.test(path) &&
  (/[^/.]\.[A-Za-z]\w*$/.test(path) || /(?:^|\/)(?:Makefile|Dockerfile)$/.test(path))

const isThere = (path: string, paths: readonly string[]): boolean =>
  paths.some(
    (other) => other === path || other.endsWith(`/${path}`) || other.startsWith(`${path}/`),
  )

/** A file that only prose names may be delivered elsewhere, or with a related ending. */
function delivers(created: string, path: string, by: ExpectedFile['by']): boolean {
  if (created === path || created.endsWith(`/${path}`) || created.startsWith(`${path}/`))
    return true
  if (by === 'scope') return false
  if (posix.basename(created) === posix.basename(path)) return true
  return stemOf(created) === stemOf(path)
}

/** `src/a.ts` and `src/a.js` are one module. */
const stemOf = (path: string): string => path.replace(/\.[^./]+$/, '')

/** The task removes or renames the file, so its absence is right. */
const isTakenAway = (path: string, prose: string): boolean =>
  followsVerb(path, prose, /\b(?:delete|remove|drop|rename|move|replace|retire)\b[^.;\n]*$/i)

/** A file that a text says will be, or was, created. */
export interface PromisedPath {
  readonly path: string
  /** The verb means creating a whole file, so a file of the same name elsewhere does not count. */
  readonly isNew: boolean
}

/** Longer texts are read up to here. */
const longestText = 20_000
/** With more words between verb and path, the clause means something else. */
const mostWordsBetween = 12

const asked =
  /^(?:create|add|write|introduce|scaffold|implement|make|put|place|extract|move|split|rename|save|document|describe|new)$/i
const told = /^(?:created|added|wrote|written|introduced|implemented|made|placed|extracted)$/i
const making = /^(?:create|created|introduce|introduced|scaffold|new)$/i

/** Before a path, these words introduce the place of the new thing … */
const places = /^(?:in|into|inside|at|as|to|under|called|named|path|file|:)$/i
/** … and these introduce something else. */
const others =
  /^(?:for|of|from|with|like|using|via|by|that|which|who|about|against|than|on|before|after|when|where|whose|reads?|loads?|parses?|imports?|uses?|calls?|if|beside|besides|next|instead|similar|without|link|links|reference|references|pointer|entry|redirect|route|support|alias|output|logs?)$/i
const doubtful =
  /^(?:not|never|don't|dont|cannot|avoid|optionally|optional|may|might|could|maybe|already|e\.g|eg|unless|without|if)$/i
/** Created by a run or an installation, not by hand. */
const made =
  /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|tmp|\.git|\.cache|__pycache__)\//

/**
 * Finds the files that a text promises in its own words: "add src/a.ts", "create `docs/x.md`", "write tests in
 * test/a.test.ts" in a task; "I created src/a.ts" in an answer. Ignores paths that are only read, tested, linked to,
 * or written by the program itself.
 */
export function promisedPaths(text: string, voice: 'asked' | 'told'): readonly PromisedPath[] {
  const found = new Map<string, PromisedPath>()
  for (const clause of clausesOf(text.slice(0, longestText))) {
    for (const promised of readClause(clause, voice === 'asked' ? asked : told)) {
      if (!found.has(promised.path)) found.set(promised.path, promised)
    }
  }
  return [...found.values()]
}

/** Splits sentences into clauses; a full stop inside a path ends none. */
const clausesOf = (text: string): readonly string[] =>
  text.split(/\n|;|[.!?](?=\s|$)|\s(?:but|then|so that)\s/)

/** Walks the words: a verb opens the clause, a path takes it, a list of paths shares it. */
function readClause(clause: string, verbs: RegExp): readonly PromisedPath[] {
  const words = clause.split(/[\s,()[\]"'*]+|(?<=:)/).filter((word) => word !== '')
  const paths: PromisedPath[] = []
  let verb: string | null = null
  let between = 0
  let last: 'place' | 'other' | null = null
  let isDoubted = false
  for (const word of words) {
    const path = pathIn(word)
    const bare = word.replaceAll('`', '').replace(/[.:!?]+$/, '')
    if (path !== null) {
      const isRenamed = verb !== null && /^(?:rename|move|split|extract)$/i.test(verb)
      const fits = isRenamed ? last === 'place' : last !== 'other'
      const writes = last === 'place' && /^(?:write|written|wrote|save)$/i.test(verb ?? '')
      if (verb !== null && fits && !isDoubted && !(writes && between > 0 && isOutput(words))) {
        paths.push({ path, isNew: making.test(verb) })
      }
      between = 0
    } else if (verbs.test(bare)) {
      if (!(verb !== null && /^new$/i.test(bare))) verb = bare
      between = 0
      last = null
    } else {
      if (doubtful.test(bare)) isDoubted = true
      if (others.test(bare)) last = 'other'
      else if (places.test(bare) && !/^(?:file|path)$/i.test(bare)) {
        last = last === 'other' && /^(?:to|at)$/i.test(bare) ? 'other' : 'place'
      }
      between += 1
      if (between > mostWordsBetween) verb = null
    }
  }
  return paths
}

/** "Write the result to out.json" describes the program. */
const isOutput = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:to|output|results?|report|log)$/i.test(word))

function pathIn(word: string): string | null {
  const isMarked = word.includes('`')
  const path = word
    .replaceAll('`', '')
    .replace(/^\.\//, '')
    .replace(/[.:!?]+$/, '')
  if (/[*{}<>$?!\\@#]|^\/|^~|^\.\.\/|\/$|:\d*$/.test(path) || made.test(path)) return null
  if (!/[^/]\.[A-Za-z]\w*$/.test(path) && !path.includes('/')) return isBareName(path) ? path : null
  return looksLikePath(path, isMarked ? 'marked' : 'word') ? path : null
}

const isBareName = (word: string): boolean => /^(?:Makefile|Dockerfile|LICENSE)$/.test(word)
