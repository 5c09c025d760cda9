/** Publishing into a person's own repository, where git loses its answer, fails, or left its lock. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createGitWorkspace } from '../../src/adapters/git-workspace.ts'
import { makeGitRepository } from '../adapters/git-repository.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'
import { createCountingGit } from './processes/strike-git.ts'

type Trouble = 'lost' | 'fails' | 'locked'

const branch = 'agent/T-1'
const changes = [{ action: 'create', path: 'one.js', content: '' }] as const

/** What comes of each: done once it was done, an error that is no verdict on the work, done all the same. */
const expected: Readonly<Record<Trouble, string>> = {
  lost: 'published',
  fails: 'git_failed',
  locked: 'published',
}

export async function checkLocalPublish(trouble: Trouble): Promise<readonly string[]> {
  using repository = makeGitRepository()
  const git = createCountingGit(join(repository.home, '..', 'counting-git'))
  const { PATH } = process.env
  process.env.PATH = `${git.folder}:${PATH}`
  try {
    const workspace = await createGitWorkspace({
      ...{ source: repository.path, remote: repository.path, home: repository.home },
      ...{ token: null, base: null, clock: createFakeClock() },
      identity: { name: 'Bot', email: 'bot@example.org' },
    })
    const { base } = await workspace.refresh()
    const sha = await workspace.commit({ parents: [base.sha], changes, message: 'm' })
    git.arm(null)
    await workspace.publish('agent/T-0', sha, null)
    const at = git.calls().indexOf('update-ref')
    if (trouble === 'locked') leaveLock(repository.path)
    else git.arm({ at, fault: trouble })
    const said = await workspace.publish(branch, sha, null).then(
      (result) => result.status,
      (error: unknown) =>
        error instanceof Error && 'code' in error ? `${error.code}` : `${error}`,
    )
    return said === expected[trouble] ? [] : [`${trouble}: it is ${said}`]
  } finally {
    process.env.PATH = PATH
  }
}

function leaveLock(path: string): void {
  const lock = join(path, '.git', 'refs/heads', `${branch}.lock`)
  mkdirSync(dirname(lock), { recursive: true })
  writeFileSync(lock, '')
  utimesSync(lock, 0, 0)
}
