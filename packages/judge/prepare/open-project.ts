import { posix } from 'node:path'
import type { ChangeSet, FileChange, Tree } from '../../change/change.ts'
import { detectSuites } from '../detect/detect-suites.ts'
import type { RepositoryFiles, Suite } from '../detect/suite.ts'
import type { Rules, Scope } from '../judging.ts'
import { isTelling, readRepository } from './plan-dependencies.ts'

/** What a tree's manifests and names of files say of how it is tested. */
export interface Project {
  readonly repository: RepositoryFiles
  /** What verifies the scope, in running order. */
  readonly suites: readonly Suite[]
}

type Files = Pick<Tree, 'paths' | 'read'>

const known = new WeakMap<Files, Map<string, Promise<Project>>>()

/** Reads a tree's manifests, and finds its suites: once for each scope. */
export function openProject(
  tree: Files,
  { verify, accept }: Pick<Scope, 'verify' | 'accept'>,
  rules: Rules['verify'],
): Promise<Project> {
  const projects = known.get(tree) ?? new Map<string, Promise<Project>>()
  known.set(tree, projects)
  const key = JSON.stringify([verify, accept, rules.testCommand, rules.lintCommand])
  const project = projects.get(key) ?? readProject(tree, { verify, accept }, rules)
  projects.set(key, project)
  project.catch(() => projects.delete(key))
  return project
}

async function readProject(
  { paths, read }: Files,
  scope: Pick<Scope, 'verify' | 'accept'>,
  rules: Rules['verify'],
): Promise<Project> {
  const repository = await readRepository(paths, read)
  return { repository, suites: detectSuites(repository, rules, scope) }
}

/** True where the tree before such a change is tested as the tree after it: no manifest differs. */
export const keepsProject = (changes: ChangeSet): boolean =>
  !changes.some(({ path }) => isTelling(posix.basename(path)))

const manifest = /(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg))$/
/** As setuptools-scm, hatch-vcs and PDM name it. */
const setting = /\b(?:version[-_]file|write_to)["']?\s*[=:]\s*["']([\w./-]+\.py)["']/g

const content = [
  '__version__ = version = "0.0.0"',
  '__version_tuple__ = version_tuple = (0, 0, 0)',
  '',
].join('\n')

/**
 * The files with the version that a build of a Python project would write, where they are missing: a package that
 * imports its own cannot be loaded without it.
 */
export function versionFiles({ files, read }: RepositoryFiles): readonly FileChange[] {
  const known = new Set(files)
  const named = files
    .filter((path) => manifest.test(path))
    .flatMap((path) =>
      [...(read(path) ?? '').matchAll(setting)].map(([, file = '']) =>
        posix.join(posix.dirname(path), file),
      ),
    )
  return [...new Set(named)]
    .filter((path) => !known.has(path) && !path.startsWith('../') && !path.startsWith('/'))
    .map((path) => ({ action: 'create', path, content }))
}
