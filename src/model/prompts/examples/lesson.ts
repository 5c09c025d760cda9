import type { ContextFile } from '../../../core/domain/run-state.ts'
import type { Message } from '../../../core/ports/model.ts'
import { fenced } from '../../../text/markdown/neutralise.ts'
import { showFiles } from '../show-files.ts'

/** A worked example of another repository: an edit, and in most a new file. Made up by us. */
export interface Lesson {
  readonly task: string
  readonly path: string
  readonly before: string
  readonly search: string
  readonly replace: string
  readonly fresh?: { readonly path: string; readonly task: string; readonly text: string }
}

/**
 * A request and its answer in the very form of a real one. A weak model follows a turn that it
 * seems to have taken itself better than any description of a format.
 */
export function lessonTurns(lesson: Lesson): readonly [Message, Message] {
  const { task, path, before, search, replace, fresh } = lesson
  const file: ContextFile = { path, text: before, whole: true }
  const edit = `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`
  const asked = fresh === undefined ? task : `${task} ${fresh.task}`
  const parts = [{ path, text: edit }, ...(fresh ? [fresh] : [])]
  return [
    { role: 'user', content: `FILES\n${showFiles([file])}\n\nTASK: ${asked}` },
    {
      role: 'assistant',
      content: parts.map((part) => `${part.path}\n${fenced(part.text)}`).join('\n\n'),
    },
  ]
}

/** The same with the edit alone: for a repair, where nothing new is wanted. */
export function editOnly({ fresh: _, ...lesson }: Lesson): Lesson {
  return lesson
}
