import { join } from 'node:path'
import type { RecordedModelRequest } from '../../packages/github-simulator/model/model-script.ts'
import { readRoadmap } from '../../packages/roadmap/document/read-roadmap.ts'
import { inferDependencies, orderTasks } from '../../packages/task/order-tasks.ts'
import type { Roadmap } from '../../packages/task/task-schema.ts'
import { settingsSchema } from '../../src/core/domain/settings.ts'
import { reportLint } from '../../src/tasks/lint-report.ts'
import type { Row } from '../row.ts'
import { file, smallProject } from '../scenarios.ts'
import { createRandom, median, timed } from '../statistics.ts'
import { type Scenario, type Work, workToTheEnd } from '../work.ts'
import { environment, makeRepository, project, runProgram, type Workshop } from '../workshop.ts'

const large = 10_000
const small = 100
/** Tasks worked of each roadmap; what one costs is the time between two first requests. */
const worked = 6
const rounds = 2

/** A roadmap of 10,000 tasks: reading it, planning it, and working on it. */
export async function measureRoadmap(
  workshop: Workshop,
  progress: (line: string) => void,
): Promise<readonly Row[]> {
  const text = roadmapOf(large)
  const [first = Number.NaN] = await timed(1, () => readAndOrder(text))
  progress('executor plan')
  const plan = await planSeconds(workshop, text)
  const rows: Row[] = [
    {
      figure: 'roadmap of 10,000 tasks: parsed, identified, linted, ordered; first time',
      unit: 'ms',
      measured: first,
      limit: 1500,
    },
    {
      figure: 'lint of a task of 10,000 over one of 1,000 (flat is 1)',
      unit: '×',
      measured: (await lintCost(large)) / (await lintCost(large / 10)),
      limit: 2,
    },
    { figure: 'roadmap of 10,000 tasks: `executor plan`', unit: 's', measured: plan },
  ]
  const ofSmall: Work[] = []
  const ofLarge: Work[] = []
  for (let round = 1; round <= rounds; round += 1) {
    progress(`${worked} tasks of each, ${round} of ${rounds}`)
    ofSmall.push(await workSome(workshop, small))
    ofLarge.push(await workSome(workshop, large))
  }
  return [...rows, ...costRows(ofSmall, ofLarge)]
}

function workSome(workshop: Workshop, size: number): Promise<Work> {
  const conditions = { flags: ['--max-tasks', `${worked}`], reportMemory: true }
  return workToTheEnd(workshop, 'executor', scenarioOf(size), conditions)
}

function costRows(ofSmall: readonly Work[], ofLarge: readonly Work[]): readonly Row[] {
  const cost = (works: readonly Work[]) => median(works.flatMap(gaps))
  const peak = (works: readonly Work[]) => Math.max(...works.map(({ peakMemory }) => peakMemory))
  return [
    {
      figure: 'cost of a task of 10,000 (the floor: of 100)',
      unit: 'ms',
      measured: cost(ofLarge),
      floor: cost(ofSmall),
      samples: ofLarge.flatMap(gaps),
    },
    {
      figure: 'cost of a task of 10,000 over one of 100 (flat is 1)',
      unit: '×',
      measured: cost(ofLarge) / cost(ofSmall),
      limit: 1.2,
    },
    {
      figure: `peak memory, ${worked} tasks of 10,000 (the floor: of 100)`,
      unit: 'MB',
      measured: peak(ofLarge),
      limit: 150,
      floor: peak(ofSmall),
    },
  ]
}

function readAndOrder(text: string): void {
  const roadmap = readRoadmap(text)
  const { tasks } = roadmap
  if (lint(text, roadmap) > 0) throw new Error('A good roadmap was complained about.')
  const dependsOn = inferDependencies(tasks, () => false)
  const { order } = orderTasks(
    tasks.map((task) => ({ ...task, dependsOn: dependsOn.get(task.id) ?? [] })),
  )
  if (order.length !== large) throw new Error('The roadmap was misread.')
}

/** How many findings it has. */
function lint(text: string, roadmap: Roadmap): number {
  const settings = settingsSchema.parse({})
  const files = new Map([['src/index.js', 1000]])
  const input = { file: 'ROADMAP.md', text, roadmap, files, settings, past: [] }
  return reportLint(input).findings.length
}

/** Milliseconds of lint alone, for each task of a roadmap of this size. */
async function lintCost(size: number): Promise<number> {
  const text = roadmapOf(size)
  const roadmap = readRoadmap(text)
  return median(await timed(7, () => lint(text, roadmap))) / size
}

async function planSeconds(workshop: Workshop, text: string): Promise<number> {
  const root = await makeRepository(workshop, { ...smallProject, 'ROADMAP.md': text })
  const command = [join(project, 'dist/cli.cjs'), 'plan', '--json']
  const { exitCode, seconds, stderr } = await runProgram(
    command,
    root,
    environment(workshop.directory),
  )
  if (exitCode !== 0) throw new Error(`executor plan failed:\n${stderr}`)
  return seconds
}

/** Phases of a hundred tasks, each with a file of its own, some after the one before. */
function roadmapOf(size: number): string {
  const random = createRandom(size)
  const lines = ['# Roadmap', '']
  for (let index = 1; index <= size; index += 1) {
    if (index % 100 === 1) lines.push(`## Phase ${Math.ceil(index / 100)}`, '')
    lines.push(
      `- [ ] T-${index}: Add part ${index}`,
      `  - \`part${index}\` is the number ${index}`,
      `  - **Files**: \`src/part-${index}.js\``,
    )
    if (index > 1 && random() < 0.3) lines.push(`  - **Depends on**: T-${index - 1}`)
    if (index % 100 === 0) lines.push('')
  }
  return `${lines.join('\n')}\n`
}

function scenarioOf(size: number): Scenario {
  const executor = [{ when: {}, answers: [addPart] }]
  return {
    name: `a roadmap of ${size}`,
    files: { ...smallProject, 'ROADMAP.md': roadmapOf(size) },
    task: '',
    answers: { executor, floor: [] },
  }
}

function addPart({ messages }: RecordedModelRequest): string {
  const number = /TASK T-(\d+)/.exec(messages.at(-1)?.content ?? '')?.[1]
  return file(`src/part-${number}.js`, `export const part${number} = ${number}\n`)
}

/** Milliseconds from each first request to the next task's. */
function gaps({ requestedAt }: Work): readonly number[] {
  return requestedAt.slice(1).map((time, index) => time - (requestedAt[index] ?? time))
}
