import type { ContextFile, Plan, PlanPart } from '../../core/domain/attempt.ts'
import type { Message } from '../../core/ports/model.ts'
import { showRecalled } from '../memory/recall-earlier.ts'
import { askForFiles, promptOf, remind, replyFormat, showFiles } from './compose-prompt.ts'
import { type DraftInput, describeTask } from './draft.ts'
import { chooseLesson, lessonTurns } from './examples/lessons.ts'

/** What a request for one part of a plan is about. */
export interface PartInput extends Omit<DraftInput, 'feedback' | 'targets'> {
  readonly plan: Plan
  readonly part: PlanPart
  /** Ids of the parts that are written. */
  readonly done: readonly string[]
  /** The files of this part and those that it builds on, as the parts before left them. */
  readonly files: readonly ContextFile[]
  /** Why the last answer for this part could not be used; empty for the first. */
  readonly again: string
}

/** The request for one step of a plan, with the files of that step only. */
export const draftPartPrompt = (input: PartInput): readonly Message[] =>
  promptOf(
    replyFormat('edits'),
    [
      input.map === '' ? '' : `PROJECT\n${input.map}`,
      input.files.length > 0 ? `FILES\n${showFiles(input.files)}` : '',
      showRecalled(input),
      input.history === null ? '' : `BEFORE\n${input.history}`,
      describeTask(input.task),
      describeParts(input),
      remind(input.refinement),
      input.again === '' ? '' : `Your last answer for this step could not be used: ${input.again}`,
      askForFiles(input.part.files, 'edits'),
    ],
    input.refinement === 'no_lesson' ? [] : lessonTurns(lessonFor(input), 'edits'),
  )

/** The worked example that fits the files of the part. */
export const lessonFor = (input: Pick<PartInput, 'task' | 'part' | 'map' | 'files'>) =>
  chooseLesson({ ...input, plan: { files: input.part.files } })

function describeParts({ plan: { parts = [] }, part, done }: PartInput): string {
  const steps = parts.map(({ id, does }, index) => {
    const state = id === part.id ? ' (this step)' : done.includes(id) ? ' (written)' : ''
    return `${index + 1}. ${does}${state}`
  })
  const number = parts.findIndex(({ id }) => id === part.id) + 1
  return [
    ...['PLAN', ...steps],
    `Write step ${number} only, in ${part.files.join(', ')}. The other steps are asked for one by one.`,
  ].join('\n')
}
