/**
 * The rule of `strategy: auto`. A task without a file needs tools; a large one is planned; any other is asked for at
 * once, and its next attempt uses tools (`docs/performance.md`, Strategies: a fifth of the tokens where it serves). The
 * history changes that for tasks of one shape, from ten samples of both ways:
 *
 * - to the way that served after this one failed, from five such cases, when fewer than half of the first tries serve
 *   (at 95 %) and trying first saves less than a fifth of the tokens: a failed try also takes time and test runs;
 * - to a way that is as good and costs at most 70 %.
 */
import {
  type Route,
  type RouteRecord,
  type ShapeFigures,
  type TaskShape,
  type TaskSize,
  ways,
} from '../domain/route.ts'
import { asGood, cheaper, comparedFrom, manyFiles, samplesOf, shownFrom } from './routing.ts'
import { wilsonInterval } from './statistics.ts'

/** @param hasFailed an earlier attempt at this task failed */
export function chooseWay(
  size: TaskSize,
  hasFailed: boolean,
  record: Pick<RouteRecord, 'figures' | 'misroutes'>,
): Route {
  if (hasFailed) return { way: 'tools', reason: 'an earlier attempt at it failed' }
  const usual = usualRoute(size)
  const known = record.figures.filter(
    (each) => each.shape === size.shape && samplesOf(each) >= comparedFrom,
  )
  const here = known.find(({ way }) => way === usual.way)
  if (here === undefined) return usual
  const [better] = known
    .filter((there) => there !== here)
    .filter((there) => servesInstead(here, there, record) || costsLess(here, there))
    .toSorted((a, b) => costOfSuccess(a) - costOfSuccess(b))
  const way = ways.find((each) => each === better?.way)
  if (better === undefined || way === undefined) return usual
  const reason = `of such tasks ${usual.way} served ${tell(here)}, ${way} ${tell(better)}`
  return { way, reason }
}

/** The share of tokens that a cheap first try must save. */
const worthTrying = 0.2

const tell = (figures: ShapeFigures): string => `${figures.served} of ${samplesOf(figures)}`

const reasons: Readonly<Record<TaskShape, string>> = {
  no_file: 'it names no file',
  few_words: 'it says little beside its files',
  one_file: 'it names its file',
  few_files: 'it names its files',
  many_files: `it names ${manyFiles} files or more`,
}

function usualRoute({ shape, complexity }: TaskSize): Route {
  const reason = reasons[shape]
  if (shape === 'no_file') return { way: 'tools', reason }
  if (shape === 'many_files') return { way: 'two_phase', reason }
  if (complexity === 'high') return { way: 'two_phase', reason: 'its complexity is high' }
  return { way: 'single', reason }
}

function servesInstead(
  here: ShapeFigures,
  there: ShapeFigures,
  { misroutes }: Pick<RouteRecord, 'misroutes'>,
): boolean {
  const misroute = misroutes.find(
    ({ shape, way, better }) => shape === here.shape && way === here.way && better === there.way,
  )
  if ((misroute?.cases ?? 0) < shownFrom) return false
  const high = wilsonInterval(here.served, samplesOf(here))?.high ?? 1
  if (high >= 1 / 2) return false
  return (rateOf(here) - worthTrying) * tokensOf(there) <= tokensOf(here)
}

/** By the rule that advises people, too. */
function costsLess(here: ShapeFigures, there: ShapeFigures): boolean {
  const low = wilsonInterval(there.served, samplesOf(there))?.low ?? 0
  return low >= rateOf(here) - asGood && tokensOf(there) <= cheaper * tokensOf(here)
}

const costOfSuccess = (figures: ShapeFigures): number => tokensOf(figures) / rateOf(figures)

const tokensOf = ({ tokens, executions }: ShapeFigures): number => tokens / Math.max(1, executions)

const rateOf = (figures: ShapeFigures): number => figures.served / samplesOf(figures)
