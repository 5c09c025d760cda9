import { openTree } from '../../packages/change/change.ts'
import { ExecutorError } from '../core/domain/errors.ts'
import type { Ports } from '../core/ports.ts'

/** The error of a commit without the roadmap, with the files that may be meant. */
export async function missingRoadmap(
  sha: string,
  { workspace, settings }: Pick<Ports, 'workspace' | 'settings'>,
): Promise<ExecutorError> {
  const { files } = await openTree(sha, workspace)
  const { roadmap } = settings
  const there = files.find(({ path }) => path === roadmap)
  const hint = suggestRoadmap(files.flatMap(({ path }) => (path === roadmap ? [] : [path])))
  if (there === undefined)
    return new ExecutorError('no_roadmap', `${roadmap} in the base commit${hint}`)
  const why = there.mode === '120000' ? 'it is a link' : 'it is not UTF-8, or too large'
  return new ExecutorError('no_roadmap', `text at ${roadmap} in the base commit: ${why}${hint}`)
}

const alike =
  /^(?:(?:docs?|\.github|planning|project)\/)?(?:roadmap|to-?do|tasks?|plan|backlog)\.(?:md|markdown)$/i
const mostShown = 3

/** `; did you mean --roadmap docs/ROADMAP.md?`, for what of these files looks like a roadmap; empty without one. */
export function suggestRoadmap(paths: readonly string[]): string {
  const found = paths
    .filter((path) => alike.test(path))
    .sort((a, b) => Number(/roadmap/i.test(b)) - Number(/roadmap/i.test(a)) || a.length - b.length)
  const named = found.slice(0, mostShown).map((path) => `--roadmap ${path}`)
  return named.length === 0 ? '' : `; did you mean ${named.join(' or ')}?`
}
