import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const settings = ['-c', 'core.quotePath=false', '-c', 'maintenance.auto=false', '-c', 'gc.auto=0']
const largest = 256 * 1024 * 1024

/** Who commits, and no settings of whoever is at this machine. */
export const identity = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Harness',
  GIT_AUTHOR_EMAIL: 'harness@example.org',
  GIT_COMMITTER_NAME: 'Harness',
  GIT_COMMITTER_EMAIL: 'harness@example.org',
}

export async function gitBytes(cwd: string, ...args: readonly string[]): Promise<Buffer> {
  const { stdout } = await run('git', [...settings, ...args], {
    ...{ cwd, encoding: 'buffer', maxBuffer: largest, env: { ...process.env, ...identity } },
  })
  return stdout
}

/** Standard output without its last line break; throws what git says when it fails. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  return (await gitBytes(cwd, ...args)).toString('utf8').replace(/\n$/, '')
}

/** Commits whatever is there; answers the commit. */
export async function commitAll(cwd: string, message: string): Promise<string> {
  await git(cwd, 'add', '--all', '--force')
  await git(cwd, 'commit', '--quiet', '--no-verify', '--allow-empty', '-m', message)
  return await git(cwd, 'rev-parse', 'HEAD')
}
