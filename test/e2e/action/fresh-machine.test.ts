/**
 * Machines that vanish in the middle of a run: kill -9 at a random moment, and nothing of their disks is
 * left. The next run, on a fresh clone of everything, has to come to the same end, and to pay for no
 * answer that was recorded. More of them: EXECUTOR_KILLS=10, and EXECUTOR_SEED to repeat what failed.
 */
import { expect, it } from 'vitest'
import { type ActionBench, openActionBench } from './action-bench.ts'
import { multipleAnswers, multiples, withRoadmap } from './toolbox.ts'

const tasks = 5
const kills = Number(process.env.EXECUTOR_KILLS ?? 2)
const seed = Number(process.env.EXECUTOR_SEED ?? 20261122)
const inputs = { 'max-open-prs': '0' }

const open = () =>
  openActionBench(
    withRoadmap(...multiples(tasks)),
    multipleAnswers(tasks).map((rule) => ({ ...rule, usedUp: 'repeat' as const })),
  )

/** Whatever a person sees at the end, without numbers of commits and times. */
async function endOf(bench: ActionBench) {
  const pulls = await bench.pulls()
  await bench.file('main', 'ROADMAP.md')
  const trees = pulls.map(({ head }) => bench.git('rev-parse', `origin/${head}^{tree}`))
  return {
    pulls: pulls.map(({ head, base, title, state }) => `${head} → ${base} ${state}: ${title}`),
    trees: await Promise.all(trees),
    comments: (await bench.comments()).length,
    branches: (await bench.git('for-each-ref', '--format=%(refname)', 'refs/remotes/origin')).split(
      '\n',
    ),
  }
}

/** Answers that the repository has, of runs that are under way or over. */
async function recorded({ tryGit, git }: ActionBench): Promise<number> {
  const kept = '+refs/executor/stat*:refs/kept/stat*'
  await git('fetch', '--quiet', '--prune', 'origin', kept)
  if ((await tryGit('rev-parse', '--verify', 'refs/kept/state')).exitCode !== 0) return 0
  const lines = await git('grep', '-h', '-e', '"kind":', 'refs/kept/state')
  return lines.split('\n').filter((line) => line.includes('"kind":"answered"')).length
}

/** Fractions between 0 and 1, the same for the same seed. */
function* fractions(): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    yield state / 2 ** 31
  }
}

it(`comes to the same end after ${kills} machines vanished, one in each run`, async () => {
  await using undisturbed = await open()
  const whole = await undisturbed.run({ inputs })
  expect(whole).toMatchObject({ exitCode: 0, modelCalls: tasks, outputs: { completed: '5' } })
  const end = await endOf(undisturbed)
  const dice = fractions()
  let length = whole.milliseconds
  let again = 0
  for (let kill = 1, tries = 1; kill <= kills; tries++) {
    await using bench = await open()
    const part = (kill - 1 + dice.next().value) / kills
    const vanishAfter = Math.round(length * (0.1 + 0.85 * part))
    const lost = await bench.run({ inputs, vanishAfter })
    if (lost.exitCode !== -1) {
      expect(tries, 'no run lasts as long as the first').toBeLessThan(4 * kills)
      // It was over before: nothing vanished. The machine has become quicker.
      length = 0.9 * Math.min(length, lost.milliseconds)
      continue
    }
    const unrecorded = lost.modelCalls - (await recorded(bench))
    const next = await bench.run({ inputs })
    const requests = bench.model.requests.length
    console.log(
      `Kill ${kill} after ${vanishAfter} ms of ${Math.round(length)}: ` +
        `${lost.modelCalls} answers before, ${unrecorded} of them not recorded, ${next.modelCalls} after.`,
    )
    expect(next.exitCode, next.stdout).toBe(0)
    expect(await endOf(bench)).toEqual(end)
    expect(requests).toBe(tasks + unrecorded)
    again += unrecorded
    kill++
  }
  console.log(
    `${kills} of ${kills} the same; ${again} answers that nobody had recorded were asked for again.`,
  )
})
