import { expect, it } from 'vitest'
import { createGit } from '../../github/git.ts'
import { openBench } from './bench.ts'

it('reads the references that git has, packed, single, moved and deleted', async () => {
  await using bench = await openBench()
  await bench.push('deep/er', { a: '1' })
  await bench.push('other', { b: '1' })
  const origin = new URL(await bench.git('rev-parse', '--show-toplevel'), 'file:').pathname
  const git = createGit(`${origin}/../ada/engine.git`)
  const listed = async (): Promise<unknown> => {
    const lines = await git.output('for-each-ref', '--format=%(refname) %(objectname)')
    return lines.trim().split('\n')
  }
  const read = async (): Promise<unknown> =>
    [...(await git.refs())].map(([ref, sha]) => `${ref} ${sha}`)
  expect(await read()).toEqual(await listed())
  await git.output('pack-refs', '--all')
  expect(await read()).toEqual(await listed())
  await bench.push('other', { b: '2' }, 'other')
  await git.output('symbolic-ref', 'refs/heads/alias', 'refs/heads/other')
  await git.setRef('refs/heads/deep/er', null)
  const withoutAlias = (await listed()) as string[]
  expect(await read()).toEqual(withoutAlias.filter((line) => !line.includes('alias')))
})
