import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openTree } from '../../../../packages/change/change.ts'
import { estimatePromptTokens, estimateTokens } from '../../../../packages/text/text.ts'
import { measuredFormsAt } from '../../../adapters/calibration-file.ts'
import { createSystemClock } from '../../../adapters/system.ts'
import { excludeFromGit, findRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { contextShare } from '../../../model/budget/check-budget.ts'
import { expectedWay } from '../../../model/budget/forecast.ts'
import {
  buildPromptContext,
  type Context,
  describeTooLarge,
} from '../../../model/context/build-context.ts'
import { lookUpAt } from '../../../model/context/find-code.ts'
import { showTask } from '../../../model/context/show-task.ts'
import { draftPrompt } from '../../../model/prompts/draft.ts'
import { chooseForm } from '../../../model/size/complexity.ts'
import { cacheDirectory } from '../../own-directory.ts'
import { openRoadmap } from '../open-roadmap.ts'
import type { Terminal } from '../terminal.ts'

interface Part {
  readonly part: 'map' | 'file' | 'section' | 'task and instructions'
  readonly path: string | null
  /** False for an outline or some parts of a file. */
  readonly whole: boolean
  readonly tokens: number
  readonly why: string
}

/**
 * What the first request for a task's change would hold, and why: the document of `executor context --json`. Calls no
 * model and writes nothing but the index in `.executor/`.
 */
export async function readContext(
  id: string,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
) {
  const clock = createSystemClock()
  const { root, settings, workspace, view, roadmap } = await openRoadmap(
    flags,
    terminal,
    (root) => ({
      directory: join(root, '.executor'),
      clock,
      note: terminal.say,
    }),
  )
  const found = roadmap.tasks.find((task) => task.id === id)
  if (found === undefined) throw new ExecutorError('unknown_task', id)
  const { task } = showTask(found)
  const { sha } = view.base
  const { files, paths, read } = await openTree(sha, workspace)
  const way = expectedWay(task, settings.strategy, paths)
  const budgetTokens = contextShare(settings, way)
  const built = await buildPromptContext({
    ...{ task, plan: null, budgetTokens, roadmap: settings.roadmap },
    files,
    read,
    lookUp: lookUpAt(workspace, sha),
  })
  if (existsSync(join(root, '.executor'))) {
    await excludeFromGit(await findRepository(root), '.executor/')
  }
  if (built.status === 'too_large') {
    const { path, tokens } = built
    const context = { task: id, status: 'too_large', path, tokens } as const
    const why = `${describeTooLarge(built, budgetTokens)} Raise context-tokens, or let the task name less.`
    return { ...context, why }
  }
  const { map, files: shown, targets } = built
  const measured = await measuredFormsAt(cacheDirectory(), settings.model.baseUrl)
  const model = task.model ?? settings.model.name
  const form = chooseForm(shown, targets, settings.model.form, measured[model])
  const about = { task, plan: null, map, targets, form, history: null, feedback: null }
  const known = { ...about, files: shown }
  const tokens = estimatePromptTokens(draftPrompt(known))
  const parts = partsOf(built, task.about ?? '', tokens)
  const status = { task: id, title: task.title, status: 'built', tokens, budgetTokens } as const
  return { ...status, parts, map, files: shown }
}

function partsOf(
  { map, files, reasons }: Extract<Context, { readonly status: 'built' }>,
  section: string,
  tokens: number,
): readonly Part[] {
  const ofMap = estimateTokens(map)
  const ofFiles = files.map(({ path, text, whole }): Part => {
    const own = estimateTokens(`${path}\n${text}`)
    return { part: 'file', path, whole, tokens: own, why: reasons.get(path) ?? '' }
  })
  const place = { path: null, whole: true } as const
  const above = { ...place, tokens: estimateTokens(section), why: 'the text above the task' }
  const ofSection: readonly Part[] = section === '' ? [] : [{ part: 'section', ...above }]
  const known = [...ofFiles, ...ofSection].reduce((sum, part) => sum + part.tokens, ofMap)
  const why = 'facts of the project, notes and paths'
  return [
    { part: 'map', ...place, tokens: ofMap, why },
    ...ofFiles,
    ...ofSection,
    { part: 'task and instructions', ...place, tokens: tokens - known, why: '' },
  ]
}
