import { markedNames } from '../../text/text.ts'
import { isTestFile } from '../code/test-files.ts'
import { findNamedFiles, type NamingTask } from './named-files.ts'

/** The code that a task is about, by its words. */
export interface NamedCode {
  /** Without tests. */
  readonly files: readonly string[]
  /** Functions, classes and values that it marks as code. */
  readonly names: readonly string[]
}

/** Reads which code a task names. A command that must pass says how it is judged, not where it is done. */
export function findNamedCode(task: NamingTask, paths: readonly string[] = []): NamedCode {
  const judged = { ...task, accept: [], verify: null }
  const { scope, mentioned, fresh } = findNamedFiles(judged, [], paths)
  const files = [...scope, ...mentioned, ...fresh].filter((path) => !isTestFile(path))
  return { files, names: [...new Set(markedNames(`${task.title}\n${task.details}`))] }
}
