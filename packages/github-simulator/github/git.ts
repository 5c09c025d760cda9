import { mkdir } from 'node:fs/promises'
import { execa } from 'execa'
import { readRefs } from './read-refs.ts'

export interface GitOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A bare repository. Never synchronous, because the same process serves pushes. */
export interface Git {
  run(args: readonly string[], options?: GitOptions): Promise<{ exitCode: number; stdout: string }>
  /** Standard output; a failure is a bug of this server. */
  output(...args: readonly string[]): Promise<string>
  /** The bytes of a file. */
  blob(sha: string): Promise<Buffer>
  /** Full reference names and their commits. */
  refs(): Promise<ReadonlyMap<string, string>>
  /** The commit of a branch, tag, full reference or hash. */
  resolve(name: string): Promise<string | null>
  mergeBase(a: string, b: string): Promise<string | null>
  /** The number of commits in a range of hashes, in total or touching a path. */
  count(range: string, path?: string): Promise<number>
  /** Moves, makes (`expected` all zeros) or deletes (`sha` null) a reference; false when git refuses. */
  setRef(ref: string, sha: string | null, expected?: string): Promise<boolean>
}

/** git without this machine's configuration. */
export const hermetic = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  TZ: 'UTC',
  LC_ALL: 'C',
}

export function createGit(directory: string): Git {
  const run = (args: readonly string[], { input = '', env = {} }: GitOptions = {}) =>
    execa('git', [`--git-dir=${directory}`, ...args], {
      env: { ...hermetic, ...env },
      extendEnv: false,
      input,
      encoding: 'buffer',
      reject: false,
      stripFinalNewline: false,
    })
  const attempt: Git['run'] = async (args, options) => {
    const { exitCode = 128, stdout } = await run(args, options)
    return { exitCode, stdout: Buffer.from(stdout).toString() }
  }
  const bytes = async (args: readonly string[]): Promise<Buffer> => {
    const { exitCode, stdout, stderr } = await run(args)
    if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${Buffer.from(stderr)}`)
    return Buffer.from(stdout)
  }
  const output: Git['output'] = async (...args) => (await bytes(args)).toString()
  const line = async (...args: readonly string[]): Promise<string | null> => {
    const { exitCode, stdout } = await attempt(args)
    return exitCode === 0 ? stdout.trim() : null
  }
  const refs: Git['refs'] = () => readRefs(directory)

  return {
    run: attempt,
    output,
    refs,
    blob: (sha) => bytes(['cat-file', 'blob', sha]),
    async resolve(name) {
      const all = await refs()
      const found = all.get(`refs/heads/${name}`) ?? all.get(`refs/tags/${name}`) ?? all.get(name)
      if (found === undefined && !/^[0-9a-f]{7,40}$/.test(name)) return null
      return line('rev-parse', '-q', '--verify', `${found ?? name}^{commit}`)
    },
    mergeBase: (a, b) => line('merge-base', a, b),
    async count(range, path) {
      const only = path === undefined ? [] : [path]
      return Number(await output('rev-list', '--count', range, '--', ...only))
    },
    async setRef(ref, sha, expected) {
      const old = expected === undefined ? [] : [expected]
      const args = sha === null ? ['-d', ref, ...old] : [ref, sha, ...old]
      return (await attempt(['update-ref', ...args])).exitCode === 0
    },
  }
}

/** A new bare repository; with files, they are its first commit on `main`. */
export async function createRepository(
  directory: string,
  files: Readonly<Record<string, string>> | undefined,
): Promise<void> {
  await mkdir(directory, { recursive: true })
  const git = createGit(directory)
  await git.output('init', '--quiet', '--bare', '--initial-branch=main', directory)
  if (files === undefined) return
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`
  const blobs = Object.entries(files).map(
    ([path, text]) => `M 100644 inline ${JSON.stringify(path)}\n${data(text)}`,
  )
  const header = 'commit refs/heads/main\ncommitter GitHub <noreply@github.com> 1700000000 +0000\n'
  const input = `${header}${data('Initial commit')}${blobs.join('')}`
  const { exitCode } = await git.run(['fast-import', '--quiet'], { input })
  if (exitCode !== 0) throw new Error(`git could not make the first commit of ${directory}`)
}

export async function readDefaultBranch(directory: string): Promise<string> {
  const head = await createGit(directory).output('symbolic-ref', 'HEAD')
  return head.trim().replace('refs/heads/', '')
}
