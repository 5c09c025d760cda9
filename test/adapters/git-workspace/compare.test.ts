import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readNumbers } from '../../../src/adapters/git-workspace/compare.ts'
import { type GitRepository, makeGitRepository } from '../git-repository.ts'
import { openWorkspace } from '../git-workspace-bench.ts'

type Change = (repository: GitRepository) => void

const lines = (middle: string): string => `1\n2\n3\n${middle}\n5\n6\n7\n`

/** Two branches of one start. */
async function compare(left: Change, right: Change, start: Change = () => {}) {
  using repository = makeGitRepository({ 'a.txt': lines('4'), 'b.txt': lines('b') })
  const { git } = repository
  start(repository)
  const on = (branch: string, change: Change): string => {
    git('switch', '--quiet', '-c', branch, 'main')
    change(repository)
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '-m', branch)
    return git('rev-parse', 'HEAD')
  }
  const ours = on('left', left)
  const theirs = on('right', right)
  git('switch', '--quiet', 'main')
  const workspace = await openWorkspace(repository)
  const { base } = await workspace.refresh()
  return { ours, theirs, found: await workspace.compare({ ours, theirs, base: base.sha }) }
}

const put =
  (path: string, text: string | Buffer): Change =>
  (repository) =>
    repository.put(path, text)

const nothing: Change = () => {}

describe('their side', () => {
  it.each<[string, Change, readonly unknown[]]>([
    [
      'a renamed file',
      ({ path }) => renameSync(join(path, 'a.txt'), join(path, 'c.txt')),
      [{ path: 'c.txt', from: 'a.txt', added: 0, removed: 0 }],
    ],
    [
      'a deleted one',
      ({ path }) => rmSync(join(path, 'a.txt')),
      [{ path: 'a.txt', from: 'a.txt', added: 0, removed: 7 }],
    ],
    [
      'a binary one',
      put('logo.png', Buffer.from([0, 1, 2])),
      [{ path: 'logo.png', from: 'logo.png', added: null, removed: null }],
    ],
    [
      'names as odd as they may be',
      (repository) => {
        repository.put('1\t2\t\nx', 'a\n')
        repository.put('-\t-\tü "', 'a\nb\n')
      },
      [
        { path: '-\t-\tü "', from: '-\t-\tü "', added: 2, removed: 0 },
        { path: '1\t2\t\nx', from: '1\t2\t\nx', added: 1, removed: 0 },
      ],
    ],
    [
      'two commits on one file',
      (repository) => {
        repository.put('n.txt', 'one\n')
        repository.commit()
        repository.put('n.txt', 'one\ntwo\n')
      },
      [{ path: 'n.txt', from: 'n.txt', added: 2, removed: 0 }],
    ],
    [
      'a merge of the base, which is not theirs',
      (repository) => {
        const { git } = repository
        repository.put('mine.txt', '1\n')
        repository.commit()
        git('switch', '--quiet', 'main')
        repository.put('base.txt', lines('base'))
        repository.commit()
        git('switch', '--quiet', 'right')
        git('merge', '--quiet', '-m', 'Merge main', 'main')
      },
      [{ path: 'mine.txt', from: 'mine.txt', added: 1, removed: 0 }],
    ],
    ['nothing at all', nothing, []],
  ])('has %s', async (_, change, files) => {
    const { found } = await compare(put('ours.txt', '1\n'), change)
    expect(found.theirs.files).toEqual(files)
    expect(found.ours.files).toEqual([{ path: 'ours.txt', from: 'ours.txt', added: 1, removed: 0 }])
    expect(found.merge).toEqual({ status: 'clean' })
  })

  it('has the authors and titles of its newest commits, whatever is in them', async () => {
    const many: Change = ({ git }) => {
      for (let at = 0; at < 25; at += 1) {
        git('commit', '--quiet', '--allow-empty', '-m', `\u0001${at} 'x' "y"\n\nmore`)
      }
    }
    const { found } = await compare(nothing, many)
    expect(found.theirs).toMatchObject({ count: 26 })
    expect(found.theirs.commits).toHaveLength(20)
    expect(found.theirs.commits[1]).toMatchObject({ author: 'Ada', title: `\u000124 'x' "y"` })
  })
})

describe('a preview', () => {
  it('shows the first file whose text conflicts', async () => {
    const left: Change = (repository) => {
      repository.put('a.txt', lines('ours'))
      repository.put('b.txt', lines('ours'))
    }
    const right: Change = (repository) => {
      rmSync(join(repository.path, 'a.txt'))
      repository.put('b.txt', lines('theirs'))
    }
    const { found, ours, theirs } = await compare(left, right)
    expect(found.merge).toEqual({
      ...{ status: 'conflict', paths: ['a.txt', 'b.txt'] },
      hunk: {
        path: 'b.txt',
        text: lines(`<<<<<<< ${theirs}\ntheirs\n=======\nours\n>>>>>>> ${ours}`),
      },
    })
  })

  it.each<[string, Buffer | string, Buffer | string]>([
    ['binary', Buffer.from([0, 1]), Buffer.from([0, 2])],
    ['huge', 'a\n'.repeat(600_000), 'b\n'.repeat(600_000)],
  ])('shows no lines of a %s file', async (_, left, right) => {
    const { found } = await compare(put('big', left), put('big', right))
    expect(found.merge).toEqual({ status: 'conflict', paths: ['big'], hunk: null })
  })

  it('is none for a history of its own', async () => {
    const unrelated: Change = (repository) => {
      repository.git('switch', '--quiet', '--orphan', 'other')
      repository.put('x.txt', 'x\n')
    }
    const { found } = await compare(put('ours.txt', '1\n'), unrelated)
    expect(found.merge).toEqual({ status: 'unrelated' })
    expect(found.theirs.files).toEqual([{ path: 'x.txt', from: 'x.txt', added: 1, removed: 0 }])
  })

  it('shows what a force push dropped as ours', async () => {
    const twice: Change = (repository) => {
      repository.put('first.txt', '1\n')
      repository.commit('first')
      repository.put('second.txt', '2\n')
    }
    const { found } = await compare(twice, put('theirs.txt', '1\n'))
    expect(found.ours).toMatchObject({ count: 2, commits: [{ title: 'left' }, { title: 'first' }] })
    expect(found.ours.files.map(({ path }) => path)).toEqual(['second.txt', 'first.txt'])
  })
})

it.each([
  ['', []],
  ['\0', []],
  ['nonsense\0more', []],
  ['1\t2\tx', [{ path: 'x', from: 'x', added: 1, removed: 2 }]],
  ['1\t2\t\0', [{ path: '', from: '', added: 1, removed: 2 }]],
])('numbers that git did not write whole are read as far as they go: %j', (text, files) => {
  expect(readNumbers(text)).toEqual(files)
})
