/**
 * The one way to write, before an outside that does each thing once more whenever it is asked: answers
 * get lost before and after, and lists show what was made only some looks later.
 */
import { type Effect, performEffect } from '../../src/core/perform-effect.ts'
import { createEffectLog } from '../fakes/effect-log.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'

type Answer = 'done' | 'lost after' | 'lost before' | 'busy' | 'refused'
const answers: readonly Answer[] = ['done', 'lost after', 'lost before', 'busy', 'refused']

interface EffectCase {
  readonly answers: readonly Answer[]
  /** Looks that do not show it yet. */
  readonly lag: number
  /** It was made by an earlier run. */
  readonly isThere: boolean
}

const pairs = answers.flatMap((one) => answers.map((two) => [one, two]))
export const effectCases: readonly EffectCase[] = [0, 1, 3].flatMap((lag) =>
  [false, true].flatMap((isThere) =>
    pairs.map((given) => ({ answers: given, lag, isThere: isThere && lag === 0 })),
  ),
)

export async function checkEffect({
  answers,
  lag,
  isThere,
}: EffectCase): Promise<readonly string[]> {
  const wrong: string[] = []
  const log = createEffectLog()
  const clock = createFakeClock()
  let made = isThere ? 1 : 0
  let hidden = 0
  let acts = 0
  const make = (): void => {
    made += 1
    hidden = lag
  }
  const effect: Effect<boolean, true> = {
    ...{ kind: 'comment', key: '#1 m', detail: 'one' },
    async read() {
      if (hidden > 0) hidden -= 1
      else return made > 0
      return false
    },
    alreadyApplied: (seen) => (seen ? true : null),
    async apply() {
      if (log.lines[0] !== '? comment #1 m') wrong.push('it was not intended first')
      if (answers.slice(0, acts).includes('refused')) wrong.push('a refusal was not taken as one')
      const answer = answers[acts++] ?? 'done'
      if (answer === 'done' || answer === 'lost after') make()
      if (answer !== 'done') throw new Error(answer)
      return true
    },
    readDelays: [1, 2, 4, 8, 16],
  }
  const judge = (error: unknown) => {
    const said = error instanceof Error ? error.message : ''
    return said === 'refused' ? 'refused' : said === 'busy' ? 'not_done' : 'in_doubt'
  }
  const end = await performEffect(effect, { log, clock, judge }).then(
    () => 'done',
    () => 'failed',
  )
  if (made > 1) wrong.push(`it was made ${made} times`)
  if (end === 'done' && made === 0) wrong.push('it was said to be done, and was not')
  const isRefused = !isThere && answers.slice(0, acts).includes('refused')
  if (end === 'failed' && !isRefused) wrong.push('it was given up')
  if (log.lines.length !== 2) wrong.push(`the log says ${log.lines.join(', ')}`)
  return wrong
}

export const describeEffect = ({ answers, lag, isThere }: EffectCase): string =>
  `${answers.join(', ')}; seen after ${lag} looks${isThere ? '; there already' : ''}`
