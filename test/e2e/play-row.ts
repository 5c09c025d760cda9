import { expect } from 'vitest'
import type { ModelScript } from '../../packages/github-simulator/model/model-script.ts'
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../packages/github-simulator/model/start-model-server.ts'
import type { Report } from '../../src/publish/report/build-report.ts'
import { type ActionBench, openActionBench } from './action/action-bench.ts'
import { createProject } from './cli/bench.ts'
import { written } from './cli/scenario.ts'

/** A story that the CLI and the Action both tell. */
export interface Row {
  readonly it: string
  readonly files: Readonly<Record<string, string>>
  readonly answers: ModelScript
  /** Flags of the CLI, inputs of the Action. */
  readonly settings?: Readonly<Record<string, string>>
  /** Of the endpoint of the model. */
  readonly quirks?: ModelServerOptions['quirks']
  readonly ends: {
    readonly exit: { readonly cli: number; readonly action: number }
    /** By task; a task whose work is finished is `done`. */
    readonly outcomes: Readonly<Record<string, string>>
    /** The purpose of each request, in order. */
    readonly asked: readonly string[]
    readonly branches: readonly string[]
    readonly holds?: readonly (readonly [branch: string, path: string, text: string | RegExp])[]
    readonly says?: RegExp
    readonly silent?: RegExp
    /** What the model was told, in all requests. */
    readonly told?: RegExp
    readonly untold?: RegExp
    /** What is left in `.executor`, in pull requests, comments and refs. */
    readonly keeps?: RegExp
    readonly keepsNot?: RegExp
    readonly reports?: object
  }
}

interface Ended {
  readonly exit: number
  readonly report: Report
  readonly asked: readonly (string | null)[]
  readonly branches: readonly string[]
  readonly printed: string
  readonly told: string
  readonly kept: string
  readonly read: (branch: string, path: string) => Promise<string | null>
}

type Driver = (row: Row, look: (ended: Ended) => Promise<void>) => Promise<void>

const toldTo = ({ requests }: ModelServer): string =>
  requests.flatMap(({ messages }) => messages.map(({ content }) => content)).join('\n')

const throughCli: Driver = async ({ files, answers, settings = {}, quirks = {} }, look) => {
  using project = createProject(files)
  const model = await startModelServer({ script: answers, quirks })
  try {
    const flags = Object.entries(settings).flatMap(([name, value]) =>
      value === 'true' ? [`--${name}`] : [`--${name}`, value],
    )
    const { code, stderr } = await project.run(['run', '--model', 'scripted', ...flags], {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'any',
    })
    await look({
      exit: code,
      report: project.report(),
      asked: model.requests.map(({ purpose }) => purpose),
      branches: project.branches(),
      printed: stderr,
      told: toldTo(model),
      kept: `${written(project)}${project.git('log', '--all', '--format=%B')}`,
      read: async (branch, path) => project.show(branch, path),
    })
  } finally {
    await model.close()
  }
}

const throughAction: Driver = async ({ files, answers, settings = {}, quirks = {} }, look) => {
  await using bench = await openActionBench(files, answers, {}, {}, quirks)
  const run = await bench.run({ inputs: settings })
  const { refs } = await bench.server.state('ada', 'engine')
  const branches = Object.keys(refs).flatMap(
    (ref) => /^refs\/heads\/(agent\/.+)/.exec(ref)?.[1] ?? [],
  )
  // A task that waits for a person is shown on its branch; the CLI keeps it in .executor/attempts.
  const pulls = await bench.pulls()
  const isFinished = (name: string) =>
    pulls.some(({ head, labels }) => head === name && labels.includes('executor:task'))
  await look({
    exit: run.exitCode,
    report: JSON.parse(run.left['report.json'] ?? ''),
    asked: bench.model.requests.map(({ purpose }) => purpose),
    branches: branches.filter(isFinished).sort(),
    printed: run.stdout,
    told: toldTo(bench.model),
    kept: JSON.stringify([run.left, pulls, await bench.comments(), await stateOf(bench)]),
    read: (branch, path) => bench.file(branch, path),
  })
}

/** All texts that the repository keeps of runs. */
async function stateOf({ git }: ActionBench): Promise<string> {
  await git('fetch', '--quiet', 'origin', '+refs/executor/*:refs/executor/*')
  const refs = (await git('for-each-ref', '--format=%(refname)', 'refs/executor')).split('\n')
  const texts = refs.filter((ref) => ref !== '').map((ref) => git('grep', '-h', '', ref))
  return (await Promise.all(texts)).join('\n')
}

export const both = (code: number) => ({ cli: code, action: code })

const played =
  (door: keyof Row['ends']['exit'], through: Driver) =>
  (row: Row): Promise<void> =>
    through(row, async ({ exit, report, asked, branches, printed, told, kept, read }) => {
      const { ends } = row
      const outcomes = report.tasks.map(({ id, outcome }) => [
        id,
        outcome === 'in_review' ? 'done' : outcome,
      ])
      expect(Object.fromEntries(outcomes), printed).toEqual(ends.outcomes)
      expect(exit, printed).toBe(ends.exit[door])
      expect(asked, printed).toEqual(ends.asked)
      expect(branches).toEqual(ends.branches)
      for (const [branch, path, text] of ends.holds ?? []) {
        const held = ((await read(branch, path)) ?? '').trimEnd()
        if (typeof text === 'string') expect(held).toBe(text)
        else expect(held).toMatch(text)
      }
      if (ends.told !== undefined) expect(told).toMatch(ends.told)
      if (ends.untold !== undefined) expect(told).not.toMatch(ends.untold)
      if (ends.keeps !== undefined) expect(kept).toMatch(ends.keeps)
      if (ends.keepsNot !== undefined) expect(kept).not.toMatch(ends.keepsNot)
      if (ends.says !== undefined) expect(printed).toMatch(ends.says)
      if (ends.reports !== undefined) expect(report).toMatchObject(ends.reports)
      if (ends.silent !== undefined) expect(printed).not.toMatch(ends.silent)
    })

/** The two ways in, each with what plays a row through it. */
export const doors = [
  ['the CLI', played('cli', throughCli)],
  ['the Action', played('action', throughAction)],
] as const
