import { describe, expect, it } from 'vitest'
import type { ChangeSet, FileChange } from '../../packages/change/change-set.ts'
import type { Folder } from '../../packages/change/trees.ts'
import type { Workspace } from '../../src/core/ports/workspace.ts'

/** A workspace, and what the world around it can do to it. */
export interface WorkspaceBench {
  readonly workspace: Workspace
  /** Somebody else's commit on a branch of the repository; it grows from the base. */
  push(branch: string, files: Readonly<Record<string, string>>): Promise<string>
  /** The forge keeps this commit as the head of a pull request. */
  keepPullRequest(number: number, sha: string): Promise<void>
  /** Puts a text into a folder behind the workspace's back; `null` removes the file. */
  disturb(folder: Folder, path: string, text: string | null): Promise<void>
}

/** What the base commit holds, on `main`. */
export const contractFiles: Readonly<Record<string, string>> = {
  'README.md': '# Engine\n',
  'src/app.ts': 'export const one = 1\nexport const two = 2\nexport const three = 3\n',
  'src/deep/end.ts': 'export {}\n',
  'odd names/it\'s "ü" 1.txt': 'no newline at the end',
  'odd names/two\nlines.txt': 'crlf\r\n',
  'odd names/*.ts': 'a star\n',
  '-rf': 'an option?\n',
}

const app = contractFiles['src/app.ts'] ?? ''
const readme = contractFiles['README.md'] ?? ''
const paths = Object.keys(contractFiles)

const create = (path: string, content = 'new\n'): FileChange => ({
  action: 'create',
  path,
  content,
})
const edit = {
  action: 'modify',
  path: 'src/app.ts',
  before: app,
  content: app.replace('two = 2', 'two = 22'),
} as const
const remove = { action: 'delete', path: 'README.md', before: readme } as const
const everything: ChangeSet = [edit, create('a/b/c.ts'), remove]

type Use = (test: (bench: WorkspaceBench) => Promise<void>) => Promise<void>

const parts = {
  reading: testReading,
  searching: testSearching,
  folders: testFolders,
  commits: testCommits,
  publishing: testPublishing,
  parking: testParking,
  keeping: testKeeping,
  merging: testMerging,
  reverting: testReverting,
}

/** The promises of the Workspace port. `use` makes one over `contractFiles`, and cleans up after. */
export function testWorkspaceContract(
  name: string,
  use: Use,
  only: readonly (keyof typeof parts)[] = [
    'reading',
    'searching',
    'folders',
    'commits',
    'publishing',
    'parking',
    'reverting',
  ],
): void {
  describe(`${name} keeps the Workspace contract`, () => {
    for (const part of only) parts[part](use)
  })
}

async function commitOn(
  workspace: Workspace,
  parent: string,
  changes: ChangeSet,
  message = 'work\n',
): Promise<string> {
  return workspace.commit({ parents: [parent], changes, message })
}

function testReading(use: Use): void {
  it('lists and reads the base commit as it is', () =>
    use(async ({ workspace }) => {
      const { base, branches } = await workspace.refresh()
      expect(base.branch).toBe('main')
      expect(branches).toEqual([])
      const files = await workspace.listFiles(base.sha)
      expect(files.map(({ path }) => path).sort()).toEqual([...paths].sort())
      expect(files.find(({ path }) => path === 'README.md')).toEqual({
        path: 'README.md',
        mode: '100644',
        size: 9,
      })
      const read = await workspace.readFiles(base.sha, [
        ...paths,
        'src',
        'none.ts',
        '*',
        '__proto__',
      ])
      expect(Object.fromEntries(read)).toEqual(contractFiles)
    }))

  it('sees what others push, with parent and trailers', () =>
    use(async ({ workspace, push }) => {
      const { base } = await workspace.refresh()
      const message = 'Complete it\n\nWords: in the body.\n\nExecutor-Task: T-1\nExecutor-Run: r1\n'
      const ours = await commitOn(workspace, base.sha, [edit], message)
      await workspace.publish('agent/T-1', ours, null)
      const theirs = await push('executor/recovery/T-2', { 'x.txt': 'x' })
      await push('feature', { 'y.txt': 'y' })
      expect((await workspace.view()).branches).toEqual([])
      const { branches } = await workspace.refresh()
      expect((await workspace.view()).branches).toEqual(branches)
      expect([...branches].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
        {
          name: 'agent/T-1',
          sha: ours,
          parent: base.sha,
          trailers: { 'Executor-Task': 'T-1', 'Executor-Run': 'r1' },
        },
        { name: 'executor/recovery/T-2', sha: theirs, parent: base.sha, trailers: {} },
      ])
      expect((await workspace.readFiles(theirs, ['x.txt'])).get('x.txt')).toBe('x')
    }))

  it('knows what is reachable from what', () =>
    use(async ({ workspace, push }) => {
      const { base } = await workspace.refresh()
      const child = await commitOn(workspace, base.sha, [edit])
      const other = await push('agent/T-9', { 'x.txt': 'x' })
      await workspace.refresh()
      const merge = await workspace.commit({ parents: [child, other], changes: [], message: 'm' })
      const unknown = 'd'.repeat(base.sha.length)
      const cases: [string, string, boolean][] = [
        [child, base.sha, true],
        [base.sha, base.sha, true],
        [base.sha, child, false],
        [merge, child, true],
        [merge, other, true],
        [merge, base.sha, true],
        [child, other, false],
        [child, unknown, false],
      ]
      for (const [sha, ancestor, expected] of cases) {
        expect(await workspace.contains(sha, ancestor)).toBe(expected)
      }
    }))
}

function testSearching(use: Use): void {
  it('finds words in a commit, with changes on top', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const seen = async (changes: ChangeSet, patterns: readonly string[], more = {}) => {
        const query = { kind: 'words', ignoresCase: false, under: '', patterns, ...more } as const
        const result = await workspace.grep(base.sha, changes, query)
        if (result.status === 'refused') return result.reason
        expect(result.isCut).toBe(false)
        return result.lines.map(({ path, line, text }) => `${path}:${line}:${text}`)
      }
      const own = create('.executor/note.md', 'two\n')
      const end = { action: 'delete', path: 'src/deep/end.ts', before: 'export {}\n' } as const
      const changes = [edit, create('a/b/c.ts', 'no\nTwo = (2)\r\n'), remove, own, end]
      const two = 'src/app.ts:2:export const two = 2'
      expect(await seen([], ['two'])).toEqual([two])
      expect(await seen([], ['two = 2', 'Engine'])).toEqual(['README.md:1:# Engine', two])
      expect(await seen([], ['TWO'])).toEqual([])
      expect(await seen([], ['TWO'], { ignoresCase: true })).toEqual([two])
      expect(await seen([], ['two'], { under: 'src' })).toEqual([two])
      expect(await seen([], ['two'], { under: 'src/app.ts' })).toEqual([two])
      expect(await seen([], ['two'], { under: 'src/deep' })).toEqual([])
      expect(await seen([], ['star'], { under: 'odd names/*.ts' })).toEqual([
        'odd names/*.ts:1:a star',
      ])
      expect(await seen([], ['crlf', 'an option?'])).toEqual([
        '-rf:1:an option?',
        'odd names/two\nlines.txt:1:crlf',
      ])
      expect(await seen(changes, ['two', 'Engine', '= (2)'])).toEqual([
        'a/b/c.ts:2:Two = (2)',
        'src/app.ts:2:export const two = 22',
      ])
      expect(await seen(changes, ['no'], { under: 'a' })).toEqual(['a/b/c.ts:1:no'])
      for (const under of [
        'sr',
        'src/app',
        'README.md',
        'src/deep',
        '.executor',
        'src/*',
        'none',
      ]) {
        expect(await seen(changes, ['two'], { under })).toBe(`there is no ${under}`)
      }
      expect((await workspace.refresh()).branches).toEqual([])
    }))
}

function testFolders(use: Use): void {
  it('checks out exactly the commit, whatever was there', () =>
    use(async ({ workspace, disturb }) => {
      const { base } = await workspace.refresh()
      const folder = await workspace.checkOut('T-1', base.sha)
      expect(folder).toMatchObject({ name: 'T-1', sha: base.sha })
      expect(workspace.folder('T-1')).toEqual(folder)
      expect(workspace.folder('T-2')).toBeNull()
      expect(Object.fromEntries(await workspace.readFolder(folder, paths))).toEqual(contractFiles)
      await disturb(folder, 'README.md', 'gone\n')
      await disturb(folder, 'left/over.txt', 'x')
      const again = await workspace.checkOut('T-1', base.sha)
      expect(await workspace.diff(again)).toEqual([])
      expect((await workspace.readFolder(again, ['README.md', 'left/over.txt'])).size).toBe(1)
      await workspace.discard('T-1')
      expect(workspace.folder('T-1')).toBeNull()
      expect((await workspace.readFolder(again, paths)).size).toBe(0)
    }))

  it('writes a change set, and git sees exactly that', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const folder = await workspace.checkOut('T-1', base.sha)
      expect(await workspace.write(folder, everything)).toEqual({ status: 'written' })
      const read = await workspace.readFolder(folder, ['src/app.ts', 'a/b/c.ts', 'README.md'])
      expect(Object.fromEntries(read)).toEqual({
        'src/app.ts': app.replace('two = 2', 'two = 22'),
        'a/b/c.ts': 'new\n',
      })
      const seen = await workspace.diff(folder)
      expect([...seen].sort((a, b) => a.path.localeCompare(b.path))).toMatchObject([
        { status: 'added', path: 'a/b/c.ts', newMode: '100644' },
        { status: 'deleted', path: 'README.md', oldMode: '100644' },
        { status: 'modified', path: 'src/app.ts', oldPath: 'src/app.ts' },
      ])
      const sha = await commitOn(workspace, base.sha, everything)
      const between = await workspace.changedBetween(base.sha, sha)
      expect([...between].sort(byPath)).toEqual([...seen].sort(byPath))
    }))

  it('sees a renaming as a change set says it', () =>
    use(async ({ workspace, disturb }) => {
      const { base } = await workspace.refresh()
      const folder = await workspace.checkOut('T-1', base.sha)
      await disturb(folder, 'src/app.ts', null)
      await disturb(folder, 'src/moved here.ts', app)
      const entries = await workspace.diff(folder)
      expect(entries.toSorted((a, b) => a.path.localeCompare(b.path))).toMatchObject([
        { status: 'deleted', path: 'src/app.ts' },
        { status: 'added', path: 'src/moved here.ts' },
      ])
    }))

  it('lets a file make room for a directory, and the other way round', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const folder = await workspace.checkOut('T-1', base.sha)
      const end = { action: 'delete', path: 'src/deep/end.ts', before: 'export {}\n' } as const
      const changes = [create('src/deep'), create('README.md/x'), remove, end]
      expect(await workspace.write(folder, changes)).toEqual({ status: 'written' })
      const read = await workspace.readFolder(folder, ['src/deep', 'README.md/x', 'README.md'])
      expect([...read.keys()].sort()).toEqual(['README.md/x', 'src/deep'])
      const sha = await commitOn(workspace, base.sha, changes)
      expect((await workspace.readFiles(sha, ['src/deep', 'README.md/x'])).size).toBe(2)
    }))

  it.each<[string, FileChange]>([
    ['creating what is there', create('src/app.ts')],
    ['creating a file where a directory is', create('src')],
    ['creating below a file', create('README.md/x')],
    ['modifying another text', { ...edit, before: `${app}// by hand\n` }],
    ['modifying what is not there', { ...edit, path: 'src/none.ts' }],
    ['deleting another text', { ...remove, before: 'other\n' }],
    ['deleting what is not there', { ...remove, path: 'none.md' }],
    ['a path outside', create('../evil.txt')],
    ['a path outside, deep', create('src/../../evil.txt')],
    ['an absolute path', create('/tmp/evil.txt')],
    ['.git', create('.git/hooks/post-checkout')],
    ['.git below', create('src/.GIT/config')],
    ['a NUL', create('src/a\0b')],
    ['an empty path', create('')],
  ])('refuses %s, and leaves the folder as it was', (_, wrong) =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const folder = await workspace.checkOut('T-1', base.sha)
      const good = [create('a/b/c.ts'), wrong.path === edit.path ? remove : edit]
      for (const changes of [
        [wrong, ...good],
        [...good, wrong],
      ]) {
        const result = await workspace.write(folder, changes)
        expect(result).toMatchObject({ status: 'refused', path: wrong.path })
        expect(await workspace.diff(folder)).toEqual([])
        expect(Object.fromEntries(await workspace.readFolder(folder, paths))).toEqual(contractFiles)
      }
    }),
  )
}

function testCommits(use: Use): void {
  it('commits from memory: the parent, changed, and nothing of any folder', () =>
    use(async ({ workspace, disturb }) => {
      const { base } = await workspace.refresh()
      await disturb(await workspace.checkOut('T-1', base.sha), 'planted.txt', 'x')
      const sha = await commitOn(workspace, base.sha, everything)
      const files = await workspace.listFiles(sha)
      const expected = [...paths.filter((path) => path !== 'README.md'), 'a/b/c.ts']
      expect(files.map(({ path }) => path).sort()).toEqual(expected.sort())
      expect(await commitOn(workspace, base.sha, everything)).toBe(sha)
      expect(await commitOn(workspace, base.sha, everything, 'other\n')).not.toBe(sha)
      const patch = await workspace.patch(base.sha, sha)
      expect(patch.split('\n')).toEqual(
        expect.arrayContaining([
          '-export const two = 2',
          '+export const two = 22',
          '+new',
          '-# Engine',
          '+++ b/a/b/c.ts',
          '--- a/src/app.ts',
        ]),
      )
    }))

  it('keeps odd names whole', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const odd = [
        'a "b".ts',
        'ünï/\u{1f680}.ts',
        'tab\there',
        'new\nline',
        "it's",
        '$(x) `y`',
        'b\\c',
      ]
      const texts = ['', 'data 3\nabc\n', 'D src/app.ts\n', '\r\n', '\ufeffbom', 'ü', '$&']
      const changes = odd.map((path, index) => create(path, texts[index]))
      const sha = await commitOn(workspace, base.sha, changes, 'quotes "x"\n\nfrom nobody\n')
      expect([...(await workspace.readFiles(sha, odd)).values()]).toEqual(texts)
      expect(await workspace.changedBetween(base.sha, sha)).toHaveLength(odd.length)
    }))

  it.each<[string, FileChange]>([
    ['.git', create('.git/config')],
    ['.git in disguise', create('src/.Git /config')],
    ['a path outside', create('../x')],
    ['below a file', create('README.md/x')],
    ['over a directory', create('src')],
    ['modifying what is not there', { ...edit, path: 'none.ts' }],
    ['deleting what is not there', { ...remove, path: 'none.ts' }],
  ])('takes a change that does not fit for a bug: %s', (_, change) =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      await expect(commitOn(workspace, base.sha, [change])).rejects.toThrow('cannot commit')
    }),
  )
}

function testPublishing(use: Use): void {
  it('publishes once, forwards, from where the branch was expected', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const first = await commitOn(workspace, base.sha, [edit])
      const second = await commitOn(workspace, first, [remove])
      const aside = await commitOn(workspace, base.sha, [create('x')])
      const name = 'agent/T-1'
      expect(await workspace.publish(name, first, null)).toEqual({ status: 'published' })
      expect(await workspace.publish(name, first, null)).toEqual({ status: 'published' })
      expect(await workspace.publish(name, second, null)).toEqual({ status: 'moved', sha: first })
      expect(await workspace.publish(name, aside, first)).toEqual({ status: 'moved', sha: first })
      expect(await workspace.publish(name, second, first)).toEqual({ status: 'published' })
      expect(await workspace.publish(name, first, second)).toEqual({ status: 'moved', sha: second })
      expect((await workspace.refresh()).branches).toMatchObject([{ name, sha: second }])
    }))

  it("leaves someone else's commit alone", () =>
    use(async ({ workspace, push }) => {
      const { base } = await workspace.refresh()
      const ours = await commitOn(workspace, base.sha, [edit])
      const theirs = await push('agent/T-1', { 'x.txt': 'x' })
      expect(await workspace.publish('agent/T-1', ours, null)).toEqual({
        status: 'moved',
        sha: theirs,
      })
      expect(await workspace.publish('agent/T-2', ours, theirs)).toEqual({
        status: 'moved',
        sha: '',
      })
      expect((await workspace.refresh()).branches).toMatchObject([{ sha: theirs }])
    }))

  it('takes publishing any other branch for a bug', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const names = ['main', 'agent', 'agent/', 'agentx/T-1', 'agent/../main', 'agent/-x']
      for (const branch of [...names, 'agent/a.lock', 'refs/heads/agent/T-1', 'agent/a b', '']) {
        await expect(workspace.publish(branch, base.sha, null)).rejects.toThrow('not a branch')
      }
    }))
}

function testMerging(use: Use): void {
  it('reads heads of pull requests that no branch holds', () =>
    use(async ({ workspace, push, keepPullRequest }) => {
      const head = await push('gone/1', { 'x.txt': 'of a pull request' })
      await keepPullRequest(7, head)
      await workspace.refresh()
      for (const _ of ['first', 'again']) {
        const found = await workspace.fetch({ pullRequests: [7, 8, 70] })
        expect(found).toEqual(new Map([[7, head]]))
      }
      const files = await workspace.readFiles(head, ['x.txt'])
      expect(files.get('x.txt')).toBe('of a pull request')
      expect(await workspace.fetch({ pullRequests: [8] })).toEqual(new Map())
      expect(await workspace.fetch({ pullRequests: [] })).toEqual(new Map())
    }))

  it('knows where histories meet, and what came before', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const a = await commitOn(workspace, base.sha, [edit])
      const b = await commitOn(workspace, a, [create('b')])
      const c = await commitOn(workspace, base.sha, [create('c')])
      const joined = await workspace.commit({ parents: [b, c], changes: [], message: 'm' })
      const unknown = 'd'.repeat(base.sha.length)
      expect(await workspace.mergeBase(b, c)).toBe(base.sha)
      expect(await workspace.mergeBase(a, b)).toBe(a)
      expect(await workspace.mergeBase(joined, c)).toBe(c)
      expect(await workspace.mergeBase(b, unknown)).toBeNull()
      expect(await workspace.ancestor(joined, 0)).toBe(joined)
      expect(await workspace.ancestor(joined, 1)).toBe(b)
      expect(await workspace.ancestor(joined, 3)).toBe(base.sha)
      expect(await workspace.ancestor(base.sha, 1)).toBeNull()
      expect(await workspace.ancestor('f'.repeat(40), 0)).toBeNull()
    }))

  it('merges what changed on either side', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const ours = await commitOn(workspace, base.sha, [edit, create('ours')])
      const theirs = await commitOn(workspace, base.sha, [remove, create('theirs')])
      const request = {
        ours,
        theirs,
        message: 'Join\n\nExecutor-Task: T-1\n',
        resolve: new Map(),
        strategy: 'merge',
      } as const
      const merged = await workspace.merge(request)
      if (merged.status !== 'merged') throw new Error(merged.status)
      const files = (await workspace.listFiles(merged.sha)).map(({ path }) => path)
      const expected = [...paths.filter((path) => path !== 'README.md'), 'ours', 'theirs']
      expect(files.sort()).toEqual(expected.sort())
      const text = await workspace.readFiles(merged.sha, ['src/app.ts'])
      expect(text.get('src/app.ts')).toBe(edit.content)
      expect(await workspace.contains(merged.sha, theirs)).toBe(true)
      expect(await workspace.ancestor(merged.sha, 1)).toBe(ours)
      expect(await workspace.merge(request)).toEqual(merged)
      expect(await workspace.merge({ ...request, ours: merged.sha })).toEqual({
        status: 'nothing_to_merge',
      })
      await workspace.publish('agent/T-1', merged.sha, null)
      const trailers = { 'Executor-Task': 'T-1' }
      expect((await workspace.refresh()).branches).toMatchObject([{ sha: merged.sha, trailers }])
    }))

  it('joins only the history with the strategy ours', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const ours = await commitOn(workspace, base.sha, [edit])
      const theirs = await commitOn(workspace, base.sha, [remove, { ...edit, content: 'other\n' }])
      const joined = await workspace.merge({
        ours,
        theirs,
        message: 'Join\n',
        resolve: new Map(),
        strategy: 'ours',
      })
      if (joined.status !== 'merged') throw new Error(joined.status)
      expect(await workspace.changedBetween(ours, joined.sha)).toEqual([])
      expect(await workspace.contains(joined.sha, theirs)).toBe(true)
    }))

  it('names what conflicts, and takes a text for it', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const ours = await commitOn(workspace, base.sha, [edit, create('two', 'ours\n')])
      const theirs = await commitOn(workspace, base.sha, [
        { ...edit, content: app.replace('two = 2', 'two = 222') },
        create('two', 'theirs\n'),
        create('new'),
      ])
      const request = { ours, theirs, message: 'Join\n', strategy: 'merge' } as const
      const resolve = (...entries: [string, string][]) =>
        workspace.merge({ ...request, resolve: new Map(entries) })
      const both = ['src/app.ts', 'two']
      expect(await resolve()).toEqual({ status: 'conflict', paths: both })
      expect(await resolve(['two', 'x'])).toEqual({ status: 'conflict', paths: ['src/app.ts'] })
      const merged = await resolve(['two', 'both\n'], ['src/app.ts', 'agreed'], ['README.md', 'no'])
      if (merged.status !== 'merged') throw new Error(merged.status)
      const texts = await workspace.readFiles(merged.sha, [...both, 'new', 'README.md'])
      expect(Object.fromEntries(texts)).toEqual({
        'src/app.ts': 'agreed',
        two: 'both\n',
        new: 'new\n',
        'README.md': readme,
      })
    }))

  it('takes no text for what is more than a text', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const ours = await commitOn(workspace, base.sha, [remove])
      const theirs = await commitOn(workspace, base.sha, [
        { ...remove, action: 'modify', content: '# Other\n' },
      ])
      const resolve = new Map([['README.md', 'x']])
      const request = { message: 'm\n', strategy: 'merge', resolve } as const
      for (const sides of [
        { ours, theirs },
        { ours: theirs, theirs: ours },
      ]) {
        const conflict = { status: 'conflict', paths: ['README.md'] }
        expect(await workspace.merge({ ...request, ...sides })).toEqual(conflict)
      }
    }))
}

function testParking(use: Use): void {
  it('parks texts by name, replaces them and takes them away', () =>
    use(async ({ workspace }) => {
      expect(await workspace.parked()).toEqual(new Map())
      const texts = { 'T-1': '{"a":"ü\\u0000"}\n', 'issue-12': 'no newline', 'T-1.b_c': '' }
      for (const [name, text] of Object.entries(texts)) {
        expect(await workspace.park(name, text)).toEqual({ status: 'published' })
      }
      expect(await workspace.park('T-1', texts['T-1'])).toEqual({ status: 'published' })
      expect(await workspace.parked()).toEqual(new Map(Object.entries(texts)))
      expect(await workspace.park('T-1', 'other')).toEqual({ status: 'published' })
      expect(await workspace.park('issue-12', null)).toEqual({ status: 'published' })
      expect(await workspace.park('issue-12', null)).toEqual({ status: 'published' })
      expect(await workspace.park('never', null)).toEqual({ status: 'published' })
      const left = { 'T-1': 'other', 'T-1.b_c': '' }
      expect(await workspace.parked()).toEqual(new Map(Object.entries(left)))
      expect((await workspace.refresh()).branches).toEqual([])
    }))

  it('refuses a text that is too long, and keeps the one before it', () =>
    use(async ({ workspace }) => {
      const longest = 'x'.repeat(4 * 1024 * 1024)
      await workspace.park('T-1', longest)
      expect(await workspace.park('T-1', `${longest}x`)).toMatchObject({ status: 'refused' })
      expect((await workspace.parked()).get('T-1') === longest).toBe(true)
    }))

  it('takes any other name for a bug', () =>
    use(async ({ workspace }) => {
      const names = ['', 'a/b', '..', 'a..b', 'a.', '-x', 'x.lock', 'x.Lock', 'a b', 'a:b', 'a\n']
      for (const name of [...names, 'x'.repeat(81), '*', '@{1}', 'refs/heads/main']) {
        await expect(workspace.park(name, 'x')).rejects.toThrow('not a name')
        await expect(workspace.park(name, null)).rejects.toThrow('not a name')
      }
    }))
}

function testKeeping(use: Use): void {
  const publishTwo = async ({ workspace, push }: WorkspaceBench) => {
    const { base } = await workspace.refresh()
    const parents = [base.sha]
    const ours = await workspace.commit({ parents, changes: [edit], message: 'ours\n' })
    const theirs = await push('agent/T-1', {
      'src/app.ts': app.replace('two = 2', 'two = 3'),
      'src/new.ts': 'one\ntwo\n',
    })
    await workspace.refresh()
    return { ours, theirs, base: base.sha }
  }

  it('keeps a commit under a ref of its own, as often as it is told to, and forgets it', () =>
    use(async (bench) => {
      const { workspace } = bench
      const { ours, theirs } = await publishTwo(bench)
      const name = `refs/executor/kept/T-1/${ours.slice(0, 7)}`
      for (const _ of ['once', 'twice']) {
        expect(await workspace.keep('T-1', ours)).toEqual({ status: 'published' })
        const { branches } = await workspace.refresh()
        const tips = branches.map((tip) => [tip.name, tip.sha])
        expect(new Map(tips as [string, string][])).toEqual(
          new Map([
            ['agent/T-1', theirs],
            [name, ours],
          ]),
        )
      }
      for (const _ of ['once', 'twice']) {
        expect(await workspace.keep('T-1', ours, 'forget')).toEqual({ status: 'published' })
        expect((await workspace.refresh()).branches.map((tip) => tip.name)).toEqual(['agent/T-1'])
      }
      await expect(workspace.keep('../T-1', ours)).rejects.toThrow('not a task id')
    }))

  it('compares two commits that grew apart', () =>
    use(async (bench) => {
      const { ours, theirs, base } = await publishTwo(bench)
      const found = await bench.workspace.compare({ ours, theirs, base })
      expect(found.ours).toMatchObject({
        commits: [{ sha: ours, title: 'ours' }],
        ...{ count: 1, files: [{ path: 'src/app.ts', added: 1, removed: 1 }] },
      })
      expect(found.theirs).toMatchObject({ commits: [{ sha: theirs, author: 'Ada' }], count: 1 })
      expect(found.theirs.files.toSorted(byPath)).toEqual([
        { path: 'src/app.ts', from: 'src/app.ts', added: 1, removed: 1 },
        { path: 'src/new.ts', from: 'src/new.ts', added: 2, removed: 0 },
      ])
      expect(found.merge).toMatchObject({ status: 'conflict', paths: ['src/app.ts'] })
    }))

  it('compares two that merge', () =>
    use(async ({ workspace, push }) => {
      const { base } = await workspace.refresh()
      const changes = [create('a/b/c.ts')]
      const ours = await workspace.commit({ parents: [base.sha], changes, message: 'ours\n' })
      const theirs = await push('agent/T-1', { 'src/new.ts': '' })
      await workspace.refresh()
      const found = await workspace.compare({ ours, theirs, base: base.sha })
      expect(found.merge).toEqual({ status: 'clean' })
    }))
}

const byPath = (a: { path: string }, b: { path: string }): number => a.path.localeCompare(b.path)

function testReverting(use: Use): void {
  it('reads a line of work, commit by commit', () =>
    use(async ({ workspace, push }) => {
      const { base } = await workspace.refresh()
      const work = 'Work\n\nWhy.\n\nExecutor-Task: T-1\nExecutor-Run: r1\n'
      const first = await commitOn(workspace, base.sha, [edit], work)
      const theirs = await push('agent/T-9', { 'x.txt': 'x' })
      await workspace.refresh()
      const second = await workspace.commit({
        parents: [first, theirs],
        changes: [create('b')],
        message: 'More\n\nExecutor-Task: T-2\n',
      })
      const found = await workspace.history(second, { without: base.sha })
      expect(found).toMatchObject([
        { sha: second, parents: [first, theirs], trailers: { 'Executor-Task': 'T-2' } },
        { sha: first, parents: [base.sha], title: 'Work', committer: 'bot@example.org' },
      ])
      expect(found[1]?.trailers).toEqual({ 'Executor-Task': 'T-1', 'Executor-Run': 'r1' })
      expect(found[1]?.at).toBe('2026-01-02T03:04:05.000Z')
      expect((await workspace.history(second, {})).at(-1)?.sha).toBe(base.sha)
      const byHand = (await workspace.history(theirs, { without: base.sha }))[0]
      expect(byHand?.committer).not.toBe('bot@example.org')
      const having = { name: 'Executor-Task', value: 'T-1' }
      const named = await workspace.history(second, { having })
      expect(named.map(({ sha }) => sha)).toEqual([first])
    }))

  it('takes a commit back on top of what came after it', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const ours = await commitOn(workspace, base.sha, everything)
      const byHand = await commitOn(workspace, ours, [create('theirs.txt', 'by hand\n')])
      const message = 'Take it back\n\nExecutor-Reverts: it\n'
      for (const [onto, kept] of [
        [ours, []],
        [byHand, ['theirs.txt']],
      ] as const) {
        const request = { onto, commit: ours, also: [], message }
        const back = await workspace.revert(request)
        if (back.status !== 'merged') throw new Error(back.status)
        expect(await workspace.ancestor(back.sha, 1)).toBe(onto)
        const left = await workspace.changedBetween(base.sha, back.sha)
        expect(left.map(({ path }) => path)).toEqual(kept)
        expect(await workspace.revert({ ...request, onto: back.sha })).toEqual({
          status: 'nothing_to_merge',
        })
      }
    }))

  it('leaves what others built on a commit alone', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const ours = await commitOn(workspace, base.sha, [edit, create('new.txt')])
      const byHand = await commitOn(workspace, ours, [
        { ...edit, before: edit.content, content: edit.content.replace('22', '222') },
      ])
      const request = { onto: byHand, commit: ours, also: [], message: 'Take it back\n' }
      expect(await workspace.revert(request)).toEqual({ status: 'conflict', paths: [edit.path] })
    }))

  it('takes a squash back with the branch it came from as a second parent', () =>
    use(async ({ workspace }) => {
      const { base } = await workspace.refresh()
      const branch = await commitOn(workspace, base.sha, [edit], 'branch\n')
      const squash = await commitOn(workspace, base.sha, [edit], 'squash\n')
      const request = { onto: squash, commit: squash, also: [branch], message: 'Back\n' }
      const back = await workspace.revert(request)
      if (back.status !== 'merged') throw new Error(back.status)
      expect(await workspace.contains(back.sha, branch)).toBe(true)
      expect(await workspace.changedBetween(base.sha, back.sha)).toEqual([])
    }))
}
