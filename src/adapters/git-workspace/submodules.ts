/** Fills the submodules of a folder from what the user's repository has of them; nothing is fetched. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lstatOrNull } from '../../../packages/files/files.ts'
import { type GitCall, recordsIn, runGit } from './git.ts'

/** Submodules in submodules. */
const deepest = 4

/**
 * Checks out the commit of each submodule. One that the user has not initialised stays empty.
 *
 * @param modules git's directory of the user's submodules, as `.git/modules`
 * @param folder the call for the folder, whose index names the commits
 */
export async function fillSubmodules(
  modules: string,
  folder: Required<Pick<GitCall, 'gitDir' | 'workTree' | 'env'>>,
  depth = 0,
): Promise<void> {
  const { workTree, env } = folder
  const list = join(workTree, '.gitmodules')
  if (depth === deepest || !(await lstatOrNull(list))?.isFile()) return
  const asked = ['config', '--file', list, '--null', '--get-regexp', '^submodule\\..*\\.path$']
  const named = recordsIn((await runGit(asked, folder)).text, 1).flatMap(([record = '']) => {
    const [, name = '', path = ''] = /^submodule\.(.+)\.path\n(.+)$/s.exec(record) ?? []
    return name === '' || name.split('/').includes('..') ? [] : [{ name, path }]
  })
  for (const { name, path } of named) {
    const gitDir = join(modules, name)
    // A path that is none of the index, or outside, is no entry.
    const { text: entry } = await runGit(['ls-files', '--stage', '-z', '--', path], folder)
    const [, sha = '', at] = /^160000 ([0-9a-f]+) 0\t([^\0]+)\0$/.exec(entry) ?? []
    if (at !== path || !(await lstatOrNull(gitDir))?.isDirectory()) continue
    const index = `${env.GIT_INDEX_FILE}.module`
    const inner = { gitDir, workTree: join(workTree, path), env: { GIT_INDEX_FILE: index } }
    await mkdir(inner.workTree, { recursive: true })
    const filled = await runGit(['read-tree', '-m', '-u', sha], inner)
    if (filled.code === 0) await fillSubmodules(join(gitDir, 'modules'), inner, depth + 1)
    await rm(index, { force: true })
  }
}
