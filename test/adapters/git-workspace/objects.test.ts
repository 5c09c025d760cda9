import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../packages/judge/test/temporary-project.ts'
import { readObjects } from '../../../src/adapters/git-workspace/trees.ts'

async function repository() {
  const gitDir = await temporaryFolder()
  const git = (args: readonly string[], input: string | Buffer = '') =>
    execFileSync('git', [`--git-dir=${gitDir}`, ...args], { input, stdio: 'pipe' }).toString()
  git(['init', '--bare', '--quiet', gitDir])
  const store = (text: string | Buffer) => git(['hash-object', '-w', '--stdin'], text).trim()
  return { gitDir, git, store }
}

/** The gits that read this repository now. */
const readersOf = (gitDir: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(
        `--git-dir=${gitDir}\0cat-file`,
      )
    } catch {
      return false
    }
  })

const texts = async (gitDir: string, shas: readonly string[]) =>
  [...(await readObjects(gitDir, shas))].map(([, bytes]) => bytes.toString('latin1'))

const contents: readonly (readonly [what: string, contents: readonly Buffer[]])[] = [
  ['nothing', [Buffer.alloc(0)]],
  ['line ends and what reads as a header', [Buffer.from('\n\nabc blob 3\n'), Buffer.from('\n')]],
  ['bytes that are no text', [Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))]],
  ['more than a pipe holds', [1, 2, 3].map((size) => Buffer.alloc(size * 300_001, `${size}`))],
  ['many', Array.from({ length: 200 }, (_, index) => Buffer.from(`file ${index}\n`))],
]

describe('the objects of a repository', () => {
  it.each(contents)('hold %s', async (_, all) => {
    const { gitDir, store } = await repository()
    const shas = all.map(store)
    const wanted = [...new Set(shas)]
    const read = await readObjects(gitDir, wanted)
    expect([...read.keys()]).toEqual(wanted)
    expect(shas.every((sha, index) => all[index]?.equals(read.get(sha) ?? Buffer.from('?')))).toBe(
      true,
    )
  })

  it('are read by one git, whoever asks at once', async () => {
    const { gitDir, store } = await repository()
    const shas = ['a', 'b', 'c', 'd'].map(store)
    const answers = await Promise.all(shas.map((sha) => texts(gitDir, [sha, shas[0] ?? ''])))
    expect(answers).toEqual([['a'], ['b', 'a'], ['c', 'a'], ['d', 'a']])
    expect(readersOf(gitDir)).toHaveLength(1)
  })

  it('are found where they came after that git began', async () => {
    const { gitDir, store, git } = await repository()
    await texts(gitDir, [store('a')])
    const loose = store('b')
    expect(await texts(gitDir, [loose])).toEqual(['b'])
    const packed = store('c')
    git(['pack-objects', '--quiet', join(gitDir, 'objects/pack/pack')], `${packed}\n`)
    git(['prune-packed', '--quiet'])
    expect(await texts(gitDir, [packed])).toEqual(['c'])
  })

  it('are read anew where that git was killed, or its repository made again', async () => {
    const { gitDir, store, git } = await repository()
    const sha = store('a')
    await texts(gitDir, [sha])
    for (const pid of readersOf(gitDir)) process.kill(Number(pid), 'SIGKILL')
    expect(await texts(gitDir, [sha])).toEqual(['a'])
    rmSync(gitDir, { recursive: true })
    git(['init', '--bare', '--quiet', gitDir])
    expect(await texts(gitDir, [store('b')])).toEqual(['b'])
  })

  it('fail where they are not there, and the next are read all the same', async () => {
    const { gitDir, store } = await repository()
    const sha = store('a')
    const missing = '0'.repeat(40)
    await expect(readObjects(gitDir, [sha, missing])).rejects.toThrow(`${missing} cannot be read`)
    expect(await texts(gitDir, [sha])).toEqual(['a'])
    const shas = Array.from({ length: 50 }, (_, index) => store(`${index}`))
    const atOnce = [shas, [missing], shas, [sha, missing], [sha]]
    const ends = await Promise.allSettled(atOnce.map((each) => readObjects(gitDir, each)))
    expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([
      ...[true, false, true, false, true],
    ])
    await expect(readObjects(join(gitDir, 'nowhere'), [sha])).rejects.toMatchObject({
      code: 'git_missing',
    })
    await expect(readObjects(await temporaryFolder(), [sha])).rejects.toMatchObject({
      ...{ code: 'git_failed', message: expect.stringContaining('it ended early') },
    })
  })

  it('keep no process from its end', async () => {
    const { gitDir, store } = await repository()
    const script = `
      const { readObjects } = await import(${JSON.stringify(join(import.meta.dirname, '../../../src/adapters/git-workspace/trees.ts'))})
      const read = await readObjects(${JSON.stringify(gitDir)}, [${JSON.stringify(store('a'))}])
      console.log([...read.values()].join())`
    const args = ['--input-type=module', '--eval', script]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })).toBe('a\n')
    expect(readersOf(gitDir)).toEqual([])
  })
})
