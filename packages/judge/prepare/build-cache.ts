import { join } from 'node:path'
import type { SandboxRequest } from '../../sandbox/sandbox.ts'
import type { RepositoryFiles } from '../detect/suite.ts'
import type { JudgePorts } from '../judging.ts'
import { inCopy, inEach } from './dependency-tools.ts'
import { cacheKey, isIgnored } from './plan-dependencies.ts'

const mostMegabytes = 300

/** Compiles the project and its tests without running them; Go keys its cache by the inputs. */
const fillGo = inCopy(
  [
    `export GOCACHE="$place"; ${inEach('go.mod', 'go test -exec true ./... >/dev/null 2>&1 || true')}`,
    `test "$(du -sm "$GOCACHE" | cut -f1)" -le ${mostMegabytes}`,
  ].join('; '),
)
const readByGo = /(?:^|\/)go\.(?:mod|sum|work)$/

const packages = '.executor-packages/'
const shownAt = `${packages}go-build`
const timeoutSeconds = 300

type Place = Pick<SandboxRequest, 'folder' | 'mounts' | 'env' | 'signal'>

type BuildCache = Pick<SandboxRequest, 'mounts' | 'env'> & {
  /** A shell line to run before the tests. */
  readonly first: string
}

const underWay = new WeakMap<JudgePorts['sandbox'], Map<string, Promise<boolean>>>()

/**
 * Returns the compiler's output from earlier runs, without which each run compiles Go's standard
 * library; `null` if there is none. Only a start commit fills it (`isStart`), without running any
 * of its code, and each run works on a copy, so no change leaves anything for another.
 */
export async function buildCache(
  { files, read }: RepositoryFiles,
  place: Place,
  isStart: boolean,
  { sandbox }: Pick<JudgePorts, 'sandbox'>,
): Promise<BuildCache | null> {
  const manifests = files.filter((path) => readByGo.test(path) && !isIgnored(path))
  if (manifests.length === 0 || !(await sandbox.has('go'))) return null
  const argv = ['go', 'version']
  const { stdout } = await sandbox.run({ ...place, ...offline, command: { argv } })
  const texts = manifests.map((path) => [path, read(path)])
  const key = cacheKey([fillGo, stdout, texts])
  const known = underWay.get(sandbox) ?? new Map<string, Promise<boolean>>()
  underWay.set(sandbox, known)
  const filling = known.get(key) ?? (isStart ? fill(key, place, sandbox) : undefined)
  if (filling !== undefined) known.set(key, filling)
  const isFilled = await filling
  if (place.signal?.aborted) known.delete(key)
  if (isFilled === false) return null
  const { path, ready } = await sandbox.dependencyCache(key)
  if (!ready) return null
  return {
    mounts: [...place.mounts, { from: join(path, 'packages'), within: path, to: shownAt }],
    env: { ...place.env, EXECUTOR_BUILT: join(place.folder, shownAt) },
    first: 'export GOCACHE="$HOME/go-build"; cp -R "$EXECUTOR_BUILT/." "$GOCACHE"',
  }
}

const offline = { directory: '.', network: false, timeoutSeconds, collect: [] }

/** Returns false when nothing could be cached. */
async function fill(
  key: string,
  { folder, mounts, env, signal }: Place,
  sandbox: JudgePorts['sandbox'],
): Promise<boolean> {
  const { path, ready } = await sandbox.dependencyCache(key)
  if (ready) return true
  const shown = mounts.filter(({ to }) => to.startsWith(packages))
  const moved = Object.entries(env).map(([name, value]) => [name, value.replaceAll(folder, path)])
  const { exitCode } = await sandbox.run({
    ...{ ...offline, name: 'go build', folder: path, command: { shell: fillGo }, signal },
    mounts: [{ from: folder, within: folder, to: 'project' }, ...shown],
    env: Object.fromEntries(moved),
  })
  return exitCode === 0 && sandbox.completeCache(key, ['packages'])
}
