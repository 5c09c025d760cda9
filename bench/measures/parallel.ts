import { type Peer, workAsPeer } from '../peer-work.ts'
import type { Row } from '../row.ts'
import { file, type SmallScenario, smallProject } from '../scenarios.ts'
import { median } from '../statistics.ts'
import { workToTheEnd } from '../work.ts'
import { runProgram, type Workshop } from '../workshop.ts'

/** Samples behind each median. */
const rounds = 3

/** Another program is slow, and its rate hardly varies: so many of the tasks show it. */
const tasksOfPeer = 5

/** Tasks side by side: four with a slow model against one, and twenty with a usual one against one after another. */
export async function measureParallel(
  workshop: Workshop,
  progress: (line: string) => void,
  peers: readonly Peer[] = [],
): Promise<readonly Row[]> {
  const [one, four, twenty] = [independent(1), independent(4), independent(20)]
  const times = async (scenario: SmallScenario, lanes: number, latencySeconds: number) => {
    const samples: number[] = []
    for (let round = 0; round < rounds; round += 1)
      samples.push(await timeOf(workshop, scenario, lanes, latencySeconds))
    progress(`${scenario.name}, ${lanes} at a time: ${median(samples).toFixed(1)} s`)
    return samples
  }
  const [single, beside] = [await times(one, 1, 3), await times(four, 4, 3)]
  const [apart, together] = [await times(twenty, 1, 1.5), await times(twenty, 20, 1.5)]
  const minute = (samples: readonly number[]) => (20 * 60) / median(samples)
  const rows: Row[] = [
    {
      figure: '4 independent tasks, the model thinks 3 s: --parallel 4 over the time of one task',
      unit: '×',
      measured: median(beside) / median(single),
      samples: beside,
      limit: 1.5,
    },
    {
      figure: '20 independent tasks, the model thinks 1.5 s: tasks per minute over one at a time',
      unit: '×',
      measured: median(apart) / median(together),
      samples: together,
      least: 2.5,
    },
    {
      figure: '… tasks per minute (floor: one at a time)',
      unit: '',
      measured: minute(together),
      floor: minute(apart),
    },
  ]
  for (const peer of peers) {
    const seconds: number[] = []
    for (let number = 1; number <= tasksOfPeer; number += 1)
      seconds.push((await workAsPeer(workshop, peer, independent(1, number), 1.5)).seconds)
    const rate = 60 / median(seconds)
    progress(`${peer.name}: ${rate.toFixed(1)} tasks per minute`)
    rows.push({
      figure: `… over those of ${peer.name}, one after another`,
      unit: '×',
      measured: minute(together) / rate,
      samples: seconds,
      least: 4,
    })
  }
  return rows
}

async function timeOf(
  workshop: Workshop,
  scenario: SmallScenario,
  lanes: number,
  latencySeconds: number,
): Promise<number> {
  const flags = ['--stack', 'auto', ...(lanes > 1 ? ['--parallel', `${lanes}`] : [])]
  const { seconds, root } = await workToTheEnd(workshop, 'executor', scenario, {
    ...{ latencySeconds, flags },
  })
  const branches = ['git', 'for-each-ref', '--format=%(refname)', 'refs/heads/agent']
  const { stdout } = await runProgram(branches, root, {})
  const made = stdout.trim().split('\n').length
  if (made !== scenario.attempts.length) throw new Error(`${made} branches: ${stdout}`)
  return seconds
}

/** So many tasks that share no file, from this number on. */
function independent(count: number, first = 1): SmallScenario {
  const tasks = Array.from({ length: count }, (_, index) => taskOf(first + index))
  const items = tasks.map(
    ({ id, title, path }) => `- [ ] ${id}: ${title}\n  - **Files**: \`${path}\`\n`,
  )
  return {
    name: `${count} independent tasks`,
    files: { ...smallProject, 'ROADMAP.md': `# Roadmap\n\n${items.join('')}` },
    task: `${tasks[0]?.title}\nFiles: ${tasks[0]?.path}, with its test beside the others`,
    answers: {
      executor: tasks.map(({ id, files }) => ({
        when: { task: id },
        answers: [
          Object.entries(files)
            .map(([path, text]) => file(path, text))
            .join(''),
        ],
      })),
      floor: [],
    },
    attempts: tasks.map(({ files }) => files),
  }
}

function taskOf(number: number) {
  const name = `word${number}`
  const path = `src/${name}.js`
  return {
    ...{ id: `T-${number}`, path },
    title: `Add ${name}(), which says its number`,
    files: {
      [path]: `/** Its number, in words. */\nexport const ${name} = () => 'number ${number}'\n`,
      [`test/${name}.test.js`]: `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ${name} } from '../src/${name}.js'

test('${name}', () => {
  assert.equal(${name}(), 'number ${number}')
})
`,
    },
  }
}
