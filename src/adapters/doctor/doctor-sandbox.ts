import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inTemporaryFolder } from '../../../packages/files/files.ts'
import type { Sandbox, SandboxKind } from '../../../packages/sandbox/sandbox.ts'
import { type DoctorCheck, fail, ok, warn } from './check.ts'

const name = 'sandbox'
const strong: readonly SandboxKind[] = ['bubblewrap', 'other-user']
const kinds: readonly SandboxKind[] = [...strong, 'unshare']

/** The smallest test: it writes to its folder and checks whether it sees a file next to it. */
const script = `echo written > result.txt && test -s result.txt || exit 1
if test -r "$OUTSIDE"; then echo seen; else echo hidden; fi
`

/**
 * Runs a test in the sandbox that runs use, and in every other kind that isolates.
 * @param open the sandbox of runs, or one of the given kind
 */
export async function checkSandboxes(
  open: (only?: SandboxKind) => Sandbox,
): Promise<readonly DoctorCheck[]> {
  const taken = open()
  const { kind, reason } = await taken.ability()
  const first = await judgeTaken(taken, kind, reason)
  if (kind === 'unsandboxed') return [first]
  const others = kinds.filter((other) => other !== kind)
  const plays = await Promise.all(others.map((other) => runsIn(open, other)))
  const named = (wanted: boolean) => others.filter((_, index) => plays[index] === wanted).join(', ')
  const [works, missing] = [named(true), named(false)]
  const facts = [
    ...(works === '' ? [] : [`these work, too: ${works}`]),
    ...(missing === '' ? [] : [`not on this machine: ${missing}`]),
  ]
  return [first, ok(name, facts.join('; '))]
}

async function judgeTaken(
  sandbox: Sandbox,
  kind: SandboxKind,
  reason: string,
): Promise<DoctorCheck> {
  const { problem, seconds, isHidden } = await playTest(sandbox)
  if (problem !== null) {
    const next = 'Choose another one; sandbox: off in .github/executor.yml uses none.'
    return fail(name, `no test runs in ${kind}: ${problem}`, next)
  }
  const reaches = await sandbox.installNetwork()
  const isOpen = reaches === 'machine' ? '; installations have the whole network' : ''
  const sees = isHidden
    ? 'and saw no file outside its folder'
    : 'and could read files outside its folder'
  const detail = `${kind}: a test ran in ${seconds.toFixed(1)} s ${sees}${isOpen}`
  if (strong.includes(kind)) return ok(name, detail)
  const why = reason === '' ? '' : ` (${reason})`
  const next =
    'Install bubblewrap (apt-get install bubblewrap) to keep tests apart from this machine.'
  return warn(name, `${detail}${why}`, next)
}

async function runsIn(open: (only: SandboxKind) => Sandbox, kind: SandboxKind): Promise<boolean> {
  const sandbox = open(kind)
  const ability = await sandbox.ability().catch(() => null)
  return ability !== null && (await playTest(sandbox)).problem === null
}

function playTest(sandbox: Sandbox) {
  return inTemporaryFolder('doctor', async (home) => {
    const folder = await mkdtemp(join(home, 'task-'))
    const outside = join(home, 'outside')
    await writeFile(outside, 'x\n')
    await writeFile(join(folder, 'test.sh'), script)
    const { exitCode, stdout, stderr, seconds } = await sandbox.run({
      ...{ command: { argv: ['sh', 'test.sh'] }, folder, directory: '.', mounts: [] },
      ...{ env: { OUTSIDE: outside }, network: false, timeoutSeconds: 30, collect: [] },
    })
    const said = stderr.trim().split('\n').at(-1)?.slice(0, 200)
    const problem = exitCode === 0 ? null : said || `exit code ${exitCode}`
    return { problem, seconds, isHidden: stdout.includes('hidden') }
  })
}
