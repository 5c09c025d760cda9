import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A user's repository on disk, with `main` checked out, and an empty directory beside it for us. */
export interface GitRepository extends Disposable {
  readonly path: string
  readonly home: string
  git(...args: readonly string[]): string
  put(path: string, content: string | Buffer): void
  /** Commits everything there is; answers the commit. */
  commit(message?: string): string
}

const env = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
}

/** The commit that is checked out, read as git has it after a commit: a file each. */
export function headOf(path: string): string {
  const head = readFileSync(join(path, '.git/HEAD'), 'utf8').trim()
  const [, ref] = /^ref: (.*)$/.exec(head) ?? []
  return ref === undefined ? head : readFileSync(join(path, '.git', ref), 'utf8').trim()
}

/** No process to tidy up after each commit. */
const quick = ['-c', 'maintenance.auto=false', '-c', 'gc.auto=0']

export function makeGitRepository(
  files: Readonly<Record<string, string>> = { 'README.md': '# Engine\n' },
  ...initOptions: readonly string[]
): GitRepository {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'git-workspace-')))
  const path = join(root, 'user repo')
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...quick, ...args], {
      cwd: path,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trimEnd()
  const put = (file: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), content)
  }
  const record = (message: string): void => {
    git('add', '--all')
    git('commit', '--quiet', '--no-verify', '-m', message)
  }
  const commit = (message = 'by hand'): string => {
    record(message)
    return headOf(path)
  }
  mkdirSync(path)
  git('init', '--quiet', '--template=', '--initial-branch=main', ...initOptions)
  for (const [file, text] of Object.entries(files)) put(file, text)
  if (Object.keys(files).length > 0) record('start')
  return {
    path,
    home: join(root, 'home'),
    git,
    put,
    commit,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}
