import { join } from 'node:path'
import { expect } from 'vitest'
import type { ModelScript } from '../../packages/github-simulator/model/model-script.ts'
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../packages/github-simulator/model/start-model-server.ts'
import type { Report } from '../../src/publish/report/build-report.ts'
import { type ActionBench, openActionBench, readTexts } from './action/action-bench.ts'
import { createProject, leftovers } from './cli/bench.ts'
import { watchSources } from './cli/look-at-disk.ts'
import { ownTree, written } from './cli/scenario.ts'

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
    /** The paths that differ from `main`, by branch, where that way in has it. */
    readonly changes?: Readonly<Record<string, readonly string[]>>
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
    /** The failed attempts in `.executor/attempts`, by task. */
    readonly attempts?: Readonly<Record<string, RegExp>>
    /** Of the Action: what the pull request of each branch says, those that ask or failed among them. */
    readonly pulls?: Readonly<Record<string, RegExp>>
    /** Of the CLI: in no source that was on disk at any time. */
    readonly neverOnDisk?: RegExp
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
  readonly attempts: Readonly<Record<string, string>>
  readonly read: (branch: string, path: string) => Promise<string | null>
  /** Paths that a branch changes, one a line. */
  readonly changed: (branch: string) => Promise<string>
  /** By branch: title and text of its pull request; `null` for the CLI, which opens none. */
  readonly pulls: Readonly<Record<string, string>> | null
}

type Driver = <Found>(row: Row, look: (ended: Ended) => Promise<Found>) => Promise<Found>

const toldTo = ({ requests }: ModelServer): string =>
  requests.flatMap(({ messages }) => messages.map(({ content }) => content)).join('\n')

const throughCli: Driver = async ({ files, answers, settings = {}, quirks = {}, ends }, look) => {
  using project = createProject(files)
  const own = ownTree(project)
  const { neverOnDisk } = ends
  const watch = neverOnDisk && { never: neverOnDisk, ...watchSources(project.root) }
  const model = await startModelServer({ script: answers, quirks })
  try {
    const flags = Object.entries(settings).flatMap(([name, value]) =>
      value === 'true' ? [`--${name}`] : [`--${name}`, value],
    )
    const { code, stderr } = await project.run(['run', '--model', 'scripted', ...flags], {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'any',
    })
    expect(ownTree(project), stderr).toEqual(own)
    expect(leftovers(project), stderr).toEqual([])
    if (watch) {
      for (const { text } of await watch.stop()) expect(text).not.toMatch(watch.never)
    }
    return await look({
      exit: code,
      report: project.report(),
      asked: model.requests.map(({ purpose }) => purpose),
      branches: project.branches(),
      printed: stderr,
      told: toldTo(model),
      attempts: attemptsIn(await readTexts(join(project.path, '.executor'))),
      kept: `${written(project)}${project.git('log', '--all', '--format=%B')}`,
      read: async (branch, path) => project.show(branch, path),
      changed: async (branch) => project.git('diff', '--name-only', 'main', branch),
      pulls: null,
    })
  } finally {
    await model.close()
  }
}

const throughAction: Driver = async ({ files, answers, settings = {}, quirks = {} }, look) => {
  await using bench = await openActionBench(files, answers, {}, {}, quirks)
  const run = await bench.run({ inputs: settings })
  const { refs } = await bench.server.state('ada', 'engine')
  const pulls = await bench.pulls()
  const branches = Object.keys(refs).flatMap((ref) => {
    const [, head] = /^refs\/heads\/((?:agent|executor)\/.+)/.exec(ref) ?? []
    const pull = pulls.find((each) => each.head === head)
    return head === undefined ? [] : [{ head, pull }]
  })
  // A task that waits for a person is shown on its branch; the CLI keeps it in .executor/attempts.
  const finished = branches.filter(({ pull }) => pull?.labels.includes('executor:task'))
  return await look({
    exit: run.exitCode,
    report: JSON.parse(run.left['report.json'] ?? ''),
    asked: bench.model.requests.map(({ purpose }) => purpose),
    branches: finished.map(({ head }) => head).sort(),
    printed: run.stdout,
    told: toldTo(bench.model),
    attempts: attemptsIn(run.left),
    kept: JSON.stringify([run.left, pulls, await bench.comments(), await stateOf(bench)]),
    read: bench.file,
    changed: bench.changed,
    pulls: Object.fromEntries(
      branches.map(({ head, pull }) => [head, `${pull?.title}\n${pull?.body}`]),
    ),
  })
}

/** All texts that the repository keeps of runs. */
async function stateOf({ git }: ActionBench): Promise<string> {
  await git('fetch', '--quiet', 'origin', '+refs/executor/*:refs/executor/*')
  const refs = (await git('for-each-ref', '--format=%(refname)', 'refs/executor')).split('\n')
  const texts = refs.filter((ref) => ref !== '').map((ref) => git('grep', '-h', '', ref))
  return (await Promise.all(texts)).join('\n')
}

/** Of the files that a run left, the attempts by task. */
const attemptsIn = (left: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(left).flatMap(([path, text]) => {
      const [, id] = /^attempts\/(.+)\.md$/.exec(path) ?? []
      return id === undefined ? [] : [[id, text]]
    }),
  )

export const both = (code: number) => ({ cli: code, action: code })

/** What every row says of its end; the exit code of the other door is as the row has it. */
type End = Pick<Row['ends'], 'exit' | 'outcomes' | 'asked' | 'branches'>

export const endOf = ({ ends: { exit, outcomes, asked, branches } }: Row): End => ({
  ...{ exit, outcomes, asked, branches },
})

/** Plays a row, compares what only this row says, and returns the rest with what was printed. */
const played =
  (door: keyof Row['ends']['exit'], through: Driver) =>
  (row: Row): Promise<readonly [end: unknown, printed: string]> =>
    through(row, async (ended) => {
      const { ends } = row
      const { report, printed, told, kept, asked, branches } = ended
      const outcomes = report.tasks.map(({ id, outcome }) => [
        id,
        outcome === 'in_review' ? 'done' : outcome,
      ])
      const exit = { ...ends.exit, [door]: ended.exit }
      const end = { exit, outcomes: Object.fromEntries(outcomes), asked, branches }
      await expectBranches(ended, ends)
      if (ends.told !== undefined) expect(told).toMatch(ends.told)
      if (ends.untold !== undefined) expect(told).not.toMatch(ends.untold)
      if (ends.keeps !== undefined) expect(kept).toMatch(ends.keeps)
      if (ends.keepsNot !== undefined) expect(kept).not.toMatch(ends.keepsNot)
      if (ends.says !== undefined) expect(printed).toMatch(ends.says)
      if (ends.reports !== undefined) expect(report).toMatchObject(ends.reports)
      if (ends.attempts !== undefined) expect(ended.attempts).toEqual(matching(ends.attempts))
      if (ends.silent !== undefined) expect(printed).not.toMatch(ends.silent)
      return [end, printed]
    })

async function expectBranches(
  { branches, pulls, read, changed, printed }: Ended,
  ends: Row['ends'],
): Promise<void> {
  for (const [branch, paths] of Object.entries(ends.changes ?? {})) {
    const isThere = branches.includes(branch) || (pulls !== null && branch in pulls)
    if (!isThere) continue
    expect((await changed(branch)).split('\n').filter(Boolean), printed).toEqual(paths)
  }
  for (const [branch, path, text] of ends.holds ?? []) {
    const held = ((await read(branch, path)) ?? '').trimEnd()
    if (typeof text === 'string') expect(held, printed).toBe(text)
    else expect(held, printed).toMatch(text)
  }
  if (ends.pulls !== undefined && pulls !== null) expect(pulls).toEqual(matching(ends.pulls))
}

const matching = (texts: Readonly<Record<string, RegExp>>) =>
  Object.fromEntries(
    Object.entries(texts).map(([name, words]) => [name, expect.stringMatching(words)]),
  )

/** The two ways in, each with what plays a row through it. */
export const doors = [
  ['the CLI', played('cli', throughCli)],
  ['the Action', played('action', throughAction)],
] as const
