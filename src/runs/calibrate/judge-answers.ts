/** Judges the answers of a calibration in memory: it reads and parses them, and runs none of their code. */

import { type ChangeSet, contentAfter, type Draft } from '../../../packages/change/change.ts'
import {
  parseReply,
  readDraft,
  readToolCalls,
  validateFile,
} from '../../../packages/judge/judge.ts'
import { isFields, parseJson } from '../../../packages/text/text.ts'
import type { AnswerForm } from '../../core/domain/answer-form.ts'
import { toolNames } from '../../core/domain/tool-call.ts'
import type { Ports } from '../../core/ports.ts'
import { readClassification } from '../../model/prompts/classify.ts'
import { brokenChange, failedTask, type SmallTask } from './small-tasks.ts'

export interface Judgement {
  readonly good: boolean
  /** Why, in a few words: `usable`. */
  readonly why: string
  /** The answer repeats the test that was shown. */
  readonly isEcho?: true
  /** The answer says that an unfinished task is done. */
  readonly isClaim?: true
}

type Checks = Pick<Ports, 'syntax'>

const usable: Judgement = { good: true, why: 'usable' }

const unusable = (why: string): Judgement => ({ good: false, why })

/** Kinds of change that show the form. A function of its own is read as the edit that it makes. */
const shows: Readonly<Record<AnswerForm, readonly string[]>> = {
  whole: ['whole'],
  edits: ['edits', 'hunks'],
  function: ['edits', 'hunks', 'function'],
}

/** Judges the change that a task was answered with, in the form that was asked for. */
export async function judgeDraft(
  answer: string,
  { path, text, test, keeps, drops }: SmallTask,
  form: AnswerForm,
  ports: Checks,
): Promise<Judgement> {
  const texts = new Map([
    [path, text],
    [test.path, test.text],
  ])
  const known = new Set(texts.keys())
  const reply = await parseReply(answer, { expectedPath: path, known })
  if (repeatsTest(reply, test)) return { ...unusable('it repeats the test'), isEcho: true }
  const draft = await readDraft(answer, {
    ...{ base: [], expectedPath: path, paths: [...known] },
    read: async (paths) => new Map([...texts].filter(([each]) => paths.includes(each))),
  })
  if (draft.claimsDone) return { ...unusable('it says that nothing is to do'), isClaim: true }
  const kinds = reply.proposals.filter((each) => each.path === path).map(({ kind }) => kind)
  const after = await judgeText(draft, { path, keeps, drops, before: text }, ports)
  if (!after.good) return after
  return kinds.every((kind) => shows[form].includes(kind)) ? after : unusable('in another form')
}

const repeatsTest = (
  { proposals }: Awaited<ReturnType<typeof parseReply>>,
  { path, text }: SmallTask['test'],
): boolean =>
  proposals.length > 0 &&
  proposals.every(
    (each) => each.path === path || (each.kind === 'whole' && each.content.trim() === text.trim()),
  )

/** Judges the text that an answer leaves. */
async function judgeText(
  { changes, refusals }: Draft,
  wanted: Pick<SmallTask, 'path' | 'keeps' | 'drops'> & { readonly before: string },
  ports: Checks,
): Promise<Judgement> {
  const [refused] = refusals
  if (refused !== undefined) return unusable(refused.reason)
  const change = changes.find(({ path }) => path === wanted.path)
  const text = change && contentAfter(change)
  if (text === undefined || text === wanted.before) return unusable('it changes nothing')
  if (changes.length > 1) return unusable('it changes other files, too')
  const { problems } = await validateFile({ path: wanted.path, text }, ports)
  const [problem] = problems
  if (problem !== undefined) return unusable(`it does not parse: ${problem.message}`)
  const lost = wanted.keeps.find((part) => !text.includes(part))
  if (lost !== undefined) return unusable(`it lacks ${lost}`)
  return wanted.drops.some((part) => text.includes(part)) ? unusable('it leaves the task') : usable
}

/** Judges the JSON that was asked for. */
export function judgeJson(answer: string): Judgement {
  const read = readClassification(answer, failedTask.failure)
  return 'problem' in read ? unusable(read.problem) : usable
}

const looks: ReadonlySet<string> = new Set(toolNames.slice(0, toolNames.indexOf('write_diff')))

/** Judges the first step of a loop of tools: it has to look at what it does not see. */
export async function judgeToolCall(answer: string): Promise<Judgement> {
  const [first] = await readToolCalls(answer, toolNames)
  if (first === undefined || first.tool === '') return unusable('it calls no tool')
  if (!looks.has(first.tool)) return unusable(`it calls ${first.tool} before it looks`)
  return isFields(parseJson(first.input)) ? usable : unusable('its arguments cannot be read')
}

/** Judges the repair of a change that does not parse. */
export async function judgeRepair(answer: string, ports: Checks): Promise<Judgement> {
  const { path, text, keeps } = brokenChange
  const base: ChangeSet = [{ action: 'create', path, content: text }]
  const draft = await readDraft(answer, {
    ...{ base, expectedPath: path },
    read: async () => new Map(),
  })
  return judgeText(draft, { path, keeps, drops: [], before: text }, ports)
}
