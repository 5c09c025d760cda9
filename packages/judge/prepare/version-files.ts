import { posix } from 'node:path'
import type { FileChange } from '../../change/change.ts'
import type { RepositoryFiles } from '../detect/suite.ts'

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
