import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readDocument, withWrittenBoxes } from '../../../../packages/roadmap/roadmap.ts'
import type { TaskMark } from '../../../../packages/task/task.ts'
import { findRepository, type UsersRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { normalizeRoadmap } from '../../../graph/nodes/choose/normalize-roadmap.ts'
import { newRun } from '../../../runs/new-run.ts'
import { findApiKey } from '../../compose/compose.ts'
import { composeLocal } from '../../compose/compose-local.ts'
import type { Flags } from '../flags.ts'
import { inSession } from '../interrupt.ts'
import { loadSettings } from '../load-settings.ts'
import type { Terminal } from '../terminal.ts'

/**
 * `executor normalize`: gives every task a check box that the roadmap marks by a sign or, if it has neither boxes nor
 * signs, that the model finds in its text. Prints the result; `--write` saves it. Returns 0, or 1 when no task was
 * found.
 */
export async function normalize(
  flags: Flags<'write' | 'json'>,
  terminal: Terminal,
): Promise<number> {
  const repository = await findRepository(terminal.directory)
  const settings = await loadSettings(repository.root, { ...flags }, terminal)
  const path = join(repository.root, settings.roadmap)
  const text = await readFile(path, 'utf8').catch(() => {
    throw new ExecutorError('file_unreadable', settings.roadmap)
  })
  const known = hasTasks(text) ? [] : await askForMarks(text, repository, settings, terminal)
  const boxed = withWrittenBoxes(text, known)
  const { tasks } = readDocument(boxed.text, settings).roadmap
  if (flags.json) {
    const listed = tasks.map(({ id, title, status, line }) => ({ id, title, status, line }))
    terminal.print(JSON.stringify({ tasks: listed, document: boxed.text }, null, 2))
  } else if (!flags.write) terminal.print(boxed.text.trimEnd())
  if (tasks.length === 0) {
    terminal.say(`${settings.roadmap}: no tasks were found. Write them as - [ ] Add a login page`)
    return 1
  }
  if (boxed.text === text)
    terminal.say(`${settings.roadmap}: every task already has a box or a sign.`)
  else if (flags.write) {
    await writeFile(path, boxed.text)
    terminal.say(`${settings.roadmap}: ${boxed.marks.size} tasks got a box. Read it and commit it.`)
  } else {
    terminal.say(`${boxed.marks.size} tasks would get a box. Add --write to save them.`)
  }
  return 0
}

const hasTasks = (text: string): boolean => readDocument(text).roadmap.tasks.length > 0

/** The model reads the committed roadmap, as in a run, so the file must not differ from it. */
function askForMarks(
  text: string,
  repository: UsersRepository,
  settings: Settings,
  terminal: Terminal,
): Promise<readonly TaskMark[]> {
  const { environment, isTTY, say } = terminal
  const apiKey = findApiKey(settings, environment)
  const open = (signal: AbortSignal) =>
    composeLocal({ repository, settings, apiKey, isTTY, signal })
  return inSession(terminal, open, async ({ ports }) => {
    const view = await ports.workspace.refresh()
    const committed = await ports.workspace.readFiles(view.base.sha, [settings.roadmap])
    if (committed.get(settings.roadmap) !== text) {
      throw new ExecutorError(
        'bad_usage',
        `Commit ${settings.roadmap} first: it has uncommitted changes.`,
      )
    }
    say(`Asking ${settings.model.name} for the tasks of ${settings.roadmap} …`)
    const state = newRun(ports, { only: null, dryRun: false }, view)
    const { patch } = await normalizeRoadmap(state, ports)
    for (const { message, next } of patch?.record?.errors ?? []) say(`${message}\n    ${next}`)
    return patch?.roadmap?.normalized?.marks ?? []
  })
}
