import { posix } from 'node:path'
import type { CodeProblem } from '../../../packages/change/change.ts'
import { closestPath, followsVerb } from '../../../packages/source/source.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { promisedPaths } from './promised-paths.ts'

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
