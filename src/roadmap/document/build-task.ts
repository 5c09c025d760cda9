import type { RoadmapProblem, Task } from '../../core/domain/task.ts'
import { pathsIn, staysInside } from '../../text/paths/path-tokens.ts'
import { readBudget, readCommands, readName, readPaths, readPriority } from './field-values.ts'
import { type FoundTask, fieldAbove } from './find-tasks.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { NamedTask } from './identify-tasks.ts'
import type { Field, FieldName } from './read-fields.ts'
import { readTitle } from './read-title.ts'

/** Puts together what was found out about one task. */
export function buildTask(
  { id, title, found, details, former, phase, section }: NamedTask,
  fields: readonly Field[],
  dependsOn: readonly string[],
): Task {
  const fingerprint = fingerprintOf(title.title, details)
  const isSame = former.id === id && former.fingerprint === fingerprint
  const all = (name: FieldName) => fields.flatMap((f) => (f.name === name ? [f.value] : []))
  const first = (name: FieldName) => all(name)[0] ?? ''
  return {
    id,
    fingerprint,
    ...(isSame ? {} : { former }),
    title: title.title,
    details,
    status: found.status,
    line: found.box.line,
    endLine: found.endLine,
    headings: found.path,
    phase,
    section,
    files: filesOf(all('files'), found, `${title.title}\n${details}`),
    dependsOn,
    accept: unique(all('accept').flatMap(readCommands)),
    verify: readCommands(first('verify'))[0] ?? null,
    model: readName(first('model')),
    priority: readPriority(first('priority') || fieldAbove(found, 'priority')) ?? 0,
    subtasks: found.subtasks.flatMap((subtask) => readSubtask(subtask)),
    budget: readBudget(all('budget').join(', ')),
  }
}

/**
 * The task's own files; else those of its section, as far as it names them where the section holds
 * several tasks.
 */
function filesOf(own: readonly string[], found: FoundTask, words: string): readonly string[] {
  const inside = (values: readonly string[]) =>
    unique(values.flatMap(readPaths)).filter(staysInside)
  if (own.length > 0) return inside(own)
  const shared = inside([fieldAbove(found, 'files')])
  if (shared.length === 0 || found.sections.at(-1)?.tasks === 1) return shared
  const named = pathsIn(words)
  return shared.filter((path) => named.some((name) => `/${path}`.endsWith(`/${name}`)))
}

function readSubtask(item: NamedTask['found']['item']): Task['subtasks'] {
  if (!item.box) return []
  const { status, line } = item.box
  return [{ title: readTitle(item).title, status, line }]
}

/** Paths of a task's `Files` that no write scope may hold. */
export function findOutsidePaths(id: string, fields: readonly Field[]): RoadmapProblem[] {
  return fields
    .filter(({ name }) => name === 'files')
    .flatMap(({ value, line, column }) =>
      readPaths(value)
        .filter((path) => !staysInside(path))
        .map((path) => ({
          rule: 'invalid-path',
          severity: 'warning',
          line,
          column,
          message: `Line ${line}: ${JSON.stringify(path.slice(0, 80))} of ${id} is not inside the repository; it is left out.`,
          fix: 'Write paths from the root of the repository, without "..".',
        })),
    )
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)]
}
