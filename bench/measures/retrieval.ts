/**
 * How often a prompt shows code that the task is about: subjects of commits of public repositories (`--repos DIR`), the
 * tree before the commit, and the first 5,000 tokens of the request. `--before DIR` measures another checkout too.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isTestFile } from '../../packages/source/code/test-files.ts'
import { type Gather, gatherWith, openTrees } from '../retrieval/gather.ts'
import { attributesText, filesFound, readPlaces } from '../retrieval/places.ts'
import { drawSubjects, repositories, type Subject } from '../retrieval/subjects.ts'
import type { Row } from '../row.ts'
import type { Workshop } from '../workshop.ts'

export interface RetrievalOptions {
  readonly repos: string
  readonly seed: number
  /** At most so many subjects. */
  readonly limit: number
  /** A checkout of another version. */
  readonly before: string | undefined
}

const subjects = 200

interface Outcome {
  readonly subject: Subject
  readonly isFound: boolean
  /** A file that is no test is found. */
  readonly isProduct: boolean
  readonly tokens: number
}

export async function measureRetrieval(
  { directory }: Workshop,
  progress: (line: string) => void,
  { repos, seed, limit, before }: RetrievalOptions,
): Promise<readonly Row[]> {
  const drawn = await drawSubjects(repos, seed, Math.min(limit, subjects))
  const attributes = join(directory, 'attributes')
  await writeFile(attributes, attributesText)
  const open = openTrees(join(directory, 'indexes'))
  const measure = (gather: Gather) => score(drawn, gather, open, attributes, progress)
  const now = await measure(await gatherWith())
  const then = before === undefined ? null : await measure(await gatherWith(before))
  const shallow = await measure(withoutCommits(await gatherWith()))
  return [...rowsOf(now, then, seed), shallowRow(shallow, seed)]
}

async function score(
  drawn: readonly Subject[],
  gather: Gather,
  open: ReturnType<typeof openTrees>,
  attributes: string,
  progress: (line: string) => void,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const subject of drawn) {
    const { files, read, lookUp } = await open(subject)
    const places = await readPlaces(subject, attributes)
    const shown = await gather(subject, { files, read, lookUp })
    const found = filesFound(shown, places, await read(subject.changed))
    const isProduct = [...found].some((path) => !isTestFile(path))
    const tokens = Math.ceil(shown.reduce((sum, { text }) => sum + text.length, 0) / 4)
    outcomes.push({ subject, isFound: found.size > 0, isProduct, tokens })
    const { repository, sha, text } = subject
    progress(`${found.size > 0 ? '+' : '-'} ${repository} ${sha.slice(0, 10)} ${text}`)
  }
  return outcomes
}

/** As in a shallow clone, which has no earlier commits. */
const withoutCommits =
  (gather: Gather): Gather =>
  (subject, { lookUp, ...input }) =>
    gather(subject, {
      ...input,
      lookUp: async (paths, ask) =>
        (await lookUp?.(paths, (index) => ask({ ...index, commits: [] }))) ?? null,
    })

const shallowRow = (outcomes: readonly Outcome[], seed: number): Row => ({
  figure: `retrieval, seed ${seed}: changed code shown, in a shallow clone`,
  unit: '%',
  measured: percent(outcomes, ({ isFound }) => isFound),
})

const percent = (all: readonly Outcome[], hit: (each: Outcome) => boolean): number =>
  (100 * all.filter(hit).length) / Math.max(1, all.length)

function rowsOf(
  now: readonly Outcome[],
  before: readonly Outcome[] | null,
  seed: number,
): readonly Row[] {
  const hit = ({ isFound }: Outcome) => isFound
  const product = ({ isProduct }: Outcome) => isProduct
  const row = (figure: string, of: (all: readonly Outcome[]) => number, least?: number): Row => ({
    ...{ figure: `retrieval, seed ${seed}: ${figure}`, unit: '%', measured: of(now) },
    ...(before === null ? {} : { floor: of(before) }),
    ...(least === undefined ? {} : { least }),
  })
  const within = (name: string) => (all: readonly Outcome[]) =>
    percent(
      all.filter(({ subject }) => subject.repository === name),
      hit,
    )
  const tokens = (all: readonly Outcome[]) =>
    Math.round(all.reduce((sum, each) => sum + each.tokens, 0) / Math.max(1, all.length))
  return [
    row(`changed code shown, of ${now.length} subjects`, (all) => percent(all, hit), 50),
    row('of which code that is no test', (all) => percent(all, product)),
    ...repositories.map((name) => row(name, within(name))),
    { ...row('tokens of code shown', tokens), unit: 'tokens' },
  ]
}
