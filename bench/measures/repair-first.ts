import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { z } from 'zod'
import type { RecordedModelRequest } from '../../packages/github-simulator/model/model-script.ts'
import { createFaultyModel, faultyTasks } from '../faulty-model.ts'
import type { Row } from '../row.ts'
import { smallProject } from '../scenarios.ts'
import { promptTokens, type Scenario, work } from '../work.ts'
import type { Workshop } from '../workshop.ts'

const seed = 1
/** Requests that the executor may make for a task, by its defaults; the floor gets as many. */
const tries = 5

/**
 * Repair-first against naive: the same tasks by the same faulty model. Naive is the floor: write,
 * test, and ask for everything again.
 */
export async function measureRepairFirst(
  workshop: Workshop,
  progress: (line: string) => void,
): Promise<readonly Row[]> {
  progress('repair-first')
  const ours = await repairFirst(workshop)
  progress('naive')
  const naive = await writeTestRegenerate(workshop)
  const of = `${faultyTasks.length} tasks, faulty model`
  return [
    { figure: `${of}: done (floor: naive)`, unit: '', measured: ours.done, floor: naive.done },
    {
      figure: `${of}: model requests (floor: naive)`,
      unit: '',
      measured: ours.requests,
      floor: naive.requests,
    },
    {
      figure: `${of}: tokens sent and received (floor: naive)`,
      unit: 'tokens',
      measured: ours.tokens,
      floor: naive.tokens,
    },
    {
      figure: `${of}: broken files on disk (floor: naive)`,
      unit: '',
      measured: ours.brokenFiles,
      floor: naive.brokenFiles,
      limit: 0,
    },
  ]
}

interface Result {
  readonly done: number
  readonly requests: number
  readonly tokens: number
  readonly brokenFiles: number
}

const reportShape = z.object({ tasks: z.array(z.object({ outcome: z.string() })) })

async function repairFirst(workshop: Workshop): Promise<Result> {
  const items = faultyTasks.map(
    ({ id, title, details, path }) =>
      `- [ ] ${id}: ${title}\n  - ${details}\n  - **Files**: \`${path}\`\n`,
  )
  const said: string[] = []
  const scenario: Scenario = {
    name: 'a faulty model',
    files: { ...smallProject, 'ROADMAP.md': `# Roadmap\n\n${items.join('')}` },
    task: '',
    answers: { executor: [listenTo(createFaultyModel('edits', seed), said)], floor: [] },
  }
  const { requests, root, brokenFiles } = await work(workshop, 'executor', scenario, {
    watchFiles: true,
  })
  const text = await readFile(join(root, '.executor/report.json'), 'utf8')
  const { tasks } = reportShape.parse(JSON.parse(text))
  const done = tasks.filter(({ outcome }) => outcome === 'done').length
  const tokens = promptTokens(requests) + completionTokens(said)
  return { done, requests: requests.length, tokens, brokenFiles }
}

async function writeTestRegenerate(workshop: Workshop): Promise<Result> {
  const model = createFaultyModel('whole files', seed)
  let [done, requests, tokens, brokenFiles] = [0, 0, 0, 0]
  for (const { id, title, details, path } of faultyTasks) {
    const said: string[] = []
    const run = await work(
      workshop,
      'floor',
      {
        name: id,
        files: smallProject,
        task: `${id}: ${title}\n${details}\nFiles: ${path}, with its test`,
        answers: { executor: [], floor: [listenTo(model, said)] },
      },
      { tries, tests: 'node --test', watchFiles: true },
    )
    done += run.exitCode === 0 ? 1 : 0
    requests += run.requests.length
    tokens += promptTokens(run.requests) + completionTokens(said)
    brokenFiles += run.brokenFiles
  }
  return { done, requests, tokens, brokenFiles }
}

/** A rule that answers every request so, and notes what was said. */
function listenTo(model: (request: RecordedModelRequest) => string, said: string[]) {
  const answer = (request: RecordedModelRequest): string => {
    const text = model(request)
    said.push(text)
    return text
  }
  return { when: {}, answers: [answer] }
}

const completionTokens = (said: readonly string[]): number =>
  said.reduce((sum, text) => sum + countTokens(text), 0)
