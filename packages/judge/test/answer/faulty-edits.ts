/** Real edits of real texts as models write them: as diffs, with the faults that models make. */
import type { Result } from '../../../../scores/score.ts'
import { applyReply } from '../../answer/apply-reply.ts'
import { parseReply } from '../../answer/parse-reply.ts'
import {
  answerOf,
  blockFaults,
  blocksOf,
  diffFaults,
  diffText,
  fatalFaults,
  mayStack,
  writeDiff,
} from './diff-faults.ts'
import { type Chance, chanceOf } from './random.ts'
import { makeEdit, type RealEdit } from './real-edits.ts'
import { readSourceTexts } from './source-texts.ts'

export interface FaultyEdit {
  readonly edit: RealEdit
  readonly faults: readonly string[]
  readonly answer: string
  /** The diff in it, for tools that cannot read answers. */
  readonly diff: string
}

/** How an edit is written. */
export type Form = 'diff' | 'blocks'

/** Edits with this many repairable faults each; the same for the same seed. */
export function faultyEdits(
  form: Form,
  options: { readonly count: number; readonly faults: number; readonly seed: number },
): readonly FaultyEdit[] {
  const names = Object.keys(diffFaults).filter(
    (name) => form === 'diff' || blockFaults.includes(name),
  )
  return collect(options.count, options.seed, (chance) => {
    const edit = anyEdit(chance)
    const chosen: string[] = []
    for (let tries = 0; chosen.length < options.faults && tries < 50; tries += 1) {
      const name = chance.pick(names)
      if (!chosen.includes(name) && mayStack(name, chosen)) chosen.push(name)
    }
    return breakEdit(edit, { form, faults: names.filter((name) => chosen.includes(name)) }, chance)
  })
}

/** Edits with this one fault. */
export function editsWith(
  fault: string,
  form: Form,
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly FaultyEdit[] {
  return collect(count, seed, (chance) =>
    breakEdit(anyEdit(chance), { form, faults: [fault] }, chance),
  )
}

/**
 * Diffs whose lines are in the file more than once: their place is unknown unless the header's
 * numbers are right.
 */
export function ambiguousDiffs(
  count: number,
  seed: number,
  { isNumbered }: { readonly isNumbered: boolean },
): readonly FaultyEdit[] {
  return collect(count, seed, (chance) => {
    const { path, text } = chance.pick(sources)
    const lines = text.split('\n')
    const twice = lines.flatMap((line, index) =>
      line.trim() !== '' && lines.indexOf(line) !== lines.lastIndexOf(line) ? [index] : [],
    )
    if (twice.length === 0) return null
    const at = chance.pick(twice) + 1
    const after = lines.toSpliced(at, 0, `${lines[at - 1]} added`).join('\n')
    const diff = writeDiff({ path, before: text, after }, 3)
    const [hunk] = diff.hunks
    if (!hunk) return null
    hunk.lines = [` ${lines[at - 1]}`, `+${lines[at - 1]} added`]
    if (isNumbered) Object.assign(hunk, { oldStart: at, oldCount: 1, newStart: at, newCount: 2 })
    return {
      edit: { path, before: text, after },
      faults: ['ambiguous'],
      answer: answerOf(diff),
      diff: diffText(diff),
    }
  })
}

/** The result of an answer: the intended text, a refusal, or something else. */
export function judgeAnswer({ edit, answer }: Pick<FaultyEdit, 'edit' | 'answer'>): Result {
  const reply = parseReply(answer)
  const applied = applyReply(reply, (path) => (path === edit.path ? edit.before : undefined))
  if (reply.refusals.length + applied.refusals.length > 0) return 'refused'
  const [change, ...others] = applied.changes
  const isMeant =
    change?.action === 'modify' && change.path === edit.path && change.content === edit.after
  return isMeant && others.length === 0 ? 'right' : 'wrong'
}

const sources = readSourceTexts()

const anyEdit = (chance: Chance): RealEdit => makeEdit(chance.pick(sources), chance)

/** `null` where a fault changes nothing in this edit. */
function breakEdit(
  edit: RealEdit,
  { form, faults }: { readonly form: Form; readonly faults: readonly string[] },
  chance: Chance,
): FaultyEdit | null {
  const write = form === 'diff' ? answerOf : blocksOf
  const diff = writeDiff(edit)
  for (const fault of faults) {
    const before = write(diff)
    const make = diffFaults[fault] ?? fatalFaults[fault]
    if (make === undefined) throw new Error(`There is no fault called ${fault}.`)
    make(diff, chance)
    if (write(diff) === before) return null
  }
  return { edit, faults, answer: write(diff), diff: diffText(diff) }
}

function collect(
  count: number,
  seed: number,
  make: (chance: Chance) => FaultyEdit | null,
): readonly FaultyEdit[] {
  const chance = chanceOf(seed)
  const made: FaultyEdit[] = []
  for (let tries = 0; made.length < count && tries < count * 50; tries += 1) {
    const one = make(chance)
    if (one !== null) made.push(one)
  }
  return made
}
