import { join } from 'node:path'
import { expect, it } from 'vitest'
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { reportMarker } from '../../../src/publish/effects/comment-report.ts'
import { dashboardTitle } from '../../../src/publish/report/write-dashboard.ts'
import { type ActionBench, notificationsOf, openActionBench } from '../action/action-bench.ts'
import { file, tool, withRoadmap } from '../action/toolbox.ts'
import { failing, proposal } from './script.ts'

const roadmap = withRoadmap(
  'T-1: Halve a number, in `src/halve.js`',
  'T-2: Add lengths and areas',
  'T-3: Clean up a folder, in `src/clean.js`',
  'T-4: Print a receipt, in `src/receipt.js`\n  - **Depends on**: T-2',
  'T-5: Make it faster',
)

const clean = file(
  'src/clean.js',
  "import { rmSync } from 'node:fs'\n\nexport const clean = (path) => rmSync(path, { recursive: true })\n",
)

const script = [
  ...failing('T-2', 'task_too_complex', proposal('length', 'area')),
  ...failing('T-5', 'unknown'),
  {
    when: { contains: 'TASK T-1:' },
    answers: [
      `Adds \`halve\`, which divides a number by two, with a test.\n\n${tool('halve', '(n) => n / 2', 'assert.equal(halve(4), 2)')}`,
    ],
  },
  { when: { contains: 'TASK T-3:' }, answers: [clean] },
]

/** Replaces everything that differs from run to run. */
const steady = (text: string): string =>
  text
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://github.example')
    .replaceAll(/actions\/runs\/\d+/g, 'actions/runs/70001')
    .replaceAll(/run-\d{8}-\d{6}-[0-9a-f]{6}/g, 'run-20260102-030405-a1b2c3')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-01-02T03:04:05Z')
    .replaceAll(/\b[0-9a-f]{40}\b/g, '0123456789abcdef0123456789abcdef01234567')
    .replaceAll(/`[0-9a-f]{7}`/g, '`0123456`')
    .replaceAll(/\b\d+\.\d+ s\b/g, '1.0 s')
    .replaceAll(/\b(?:bubblewrap|other-user|unshare|unsandboxed)\b/g, 'bubblewrap')
    .replaceAll(/\(\d+\.\d+ms\)|\b\d+(?:\.\d+)? ms\b/g, '1 ms')

/** As GitHub shows it, without hidden lines. */
const shown = (text: string): string =>
  `<table><tr><td>\n\n${steady(text.replaceAll(/<!--[\s\S]*?-->\n?/g, '').trim())}\n\n</td></tr></table>\n`

async function pullOf(bench: ActionBench, head: string): Promise<{ title: string; body: string }> {
  const pull = (await bench.pulls()).find((each) => each.head === head)
  if (pull === undefined) throw new Error(`There is no pull request from ${head}.`)
  return pull
}

const say = (bench: ActionBench, on: number, body: string) =>
  bench.octokit('writer-token').issues.createComment({ ...target, issue_number: on, body })

const report = `## The report

Each run writes \`.executor/report.html\`: one page that loads nothing, for the next morning. It shows what needs an
answer, when each task was worked on, which branch grows from which, and what each step and task cost; and of each
attempt the thoughts, the tool calls and why a change failed. It adapts to dark mode, narrow screens and paper.
\`report.md\` says the same in words, without the tool calls, and \`report.json\` holds the data.

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="pictures/report-dark.png">
  <img src="pictures/report-light.png" alt="The report of a night: five of seven tasks done, two waiting for an answer; below, a timeline with a lane for each task, and the branches as a graph." width="830">
</picture>

<details><summary>On a screen of 360 pixels</summary>

<img src="pictures/report-360.png" alt="The same report on a narrow screen: figures in two columns, and lanes without titles." width="360">

</details>

\`npm run pictures\` makes these pictures from a real run on the test server.
`

it('is shown in docs/tour.md, in the words of a real run', async () => {
  const now = () => new Date(Date.now() + 3_000)
  await using bench = await openActionBench(roadmap, script, {}, { now })
  const night = await bench.run({ env: { EXECUTOR_DASHBOARD: 'true' } })
  const told = Map.groupBy(notificationsOf(night), (call) => call.replaceAll(/\/\d+/g, '/n'))
  expect(Object.fromEntries([...told].map(([call, all]) => [call, all.length]))).toEqual({
    'POST /pulls': 4,
    // Questions are asked on the line, too.
    'POST /pulls/n/comments': 2,
    // The report, once on each.
    'POST /issues/n/comments': 4,
    // The dashboard is opened once for good.
    'POST /issues': 1,
  })
  const reports = (await bench.comments()).filter(({ body }) => body.includes(reportMarker))
  const number = async (head: string) =>
    (await bench.pulls()).find((each) => each.head === head)?.number ?? 0
  await say(bench, await number('agent/T-1'), '/status')
  await bench.run({ event: 'schedule', inputs: { command: 'reconcile' } })
  const { data: issues } = await bench.octokit('owner-token').issues.listForRepo(target)
  const dashboard = issues.find(({ title }) => title === dashboardTitle)
  const answer = (await bench.comments()).findLast(({ body }) => body.includes('executor:reply'))
  const part = (title: string, words: string, text: string) =>
    `## ${title}\n\n${words}\n\n${shown(text)}`
  const [finished, split, asked, failed] = [
    await pullOf(bench, 'agent/T-1'),
    await pullOf(bench, 'executor/recovery/T-2'),
    await pullOf(bench, 'executor/recovery/T-3'),
    await pullOf(bench, 'agent/T-5'),
  ]
  const page = [
    '# What a maintainer reads\n\nOne night on a small repository with five tasks: a pull request notifies its maintainers\nwhen it opens, and when it gets the report of its run. The texts come from a run on the test server, and a test compares them.\n',
    part(
      'A finished task',
      `The pull request **${finished.title}**, from \`agent/T-1\`.`,
      finished.body,
    ),
    part(
      'A task that was too large',
      `The pull request **${split.title}**, from \`executor/recovery/T-2\`. Its diff changes only the roadmap.`,
      split.body,
    ),
    part(
      'A change that deletes files',
      `The pull request **${asked.title}**, from \`executor/recovery/T-3\`. The change has been neither pushed nor run.`,
      asked.body,
    ),
    part(
      'An attempt that failed',
      `The draft **${failed.title}**, from \`agent/T-5\`, with the code that failed.`,
      failed.body,
    ),
    part(
      'The report of the run',
      'One comment on each pull request of the run, with the whole report folded below. The next run edits it.',
      reports[0]?.body.split('<details>')[0] ?? '',
    ),
    part('The answer to `/status`', 'A comment.', answer?.body ?? ''),
    part('The dashboard', `The issue **${dashboardTitle}**.`, dashboard?.body ?? ''),
    report,
  ].join('\n')
  await expect(page).toMatchFileSnapshot(join(import.meta.dirname, '../../../docs/tour.md'))
})
