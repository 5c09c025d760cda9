import { expect, it } from 'vitest'
import { versionFiles } from '../../prepare/open-project.ts'
import { repositoryOf } from '../temporary-project.ts'

it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'hatch-vcs',
    { 'pyproject.toml': '[tool.hatch.build.hooks.vcs]\nversion-file = "src/a/_version.py"\n' },
    ['src/a/_version.py'],
  ],
  [
    'setuptools-scm, in a folder',
    { 'py/pyproject.toml': '[tool.setuptools_scm]\nversion_file = "a/_version.py"\n' },
    ['py/a/_version.py'],
  ],
  [
    'setuptools-scm in setup.py',
    { 'setup.py': 'setup(use_scm_version={"write_to": "a/version.py"})' },
    ['a/version.py'],
  ],
  [
    'a file that is there',
    { 'pyproject.toml': 'write_to = "a/_version.py"\n', 'a/_version.py': '' },
    [],
  ],
  ['a file outside', { 'pyproject.toml': 'write_to = "../a.py"\n' }, []],
  ['a file that is no module', { 'pyproject.toml': 'write_to = "VERSION"\n' }, []],
  ['a setting elsewhere', { 'docs/a.md': 'write_to = "a.py"\n' }, []],
])('the file that %s writes is made for the tests', (_, texts, paths) => {
  expect(versionFiles(repositoryOf(texts)).map(({ path }) => path)).toEqual(paths)
})
