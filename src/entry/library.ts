/** The package as a library: `import { runRoadmap } from 'roadmap-executor'`. docs/library.md describes it. */
import type { Report } from '../publish/report/build-report.ts'
import type { RunRoadmapOptions } from './library/options.ts'

export type { ProposedTask } from '../../packages/task/task.ts'
export {
  createScriptedModel,
  type ScriptedModel,
  type ScriptedReply,
} from '../adapters/scripted-model.ts'
export type { Answer, AskedChoice } from '../core/domain/answer.ts'
export { type ErrorCode, ExecutorError } from '../core/domain/errors.ts'
export type { Usage } from '../core/domain/usage.ts'
export type {
  Checks,
  Forge,
  ForgeRefusal,
  ForgeResult,
  IssueDraft,
  MergeResult,
  PullRequest,
  PullRequestDraft,
  ReviewCommentDraft,
} from '../core/ports/forge.ts'
export type {
  AnswerProgress,
  EndpointWait,
  Message,
  Model,
  ModelReply,
  ModelRequest,
  ToolDefinition,
} from '../core/ports/model.ts'
export type { EditedTasks, Person, Question } from '../core/ports.ts'

export type { Report, TaskReport } from '../publish/report/build-report.ts'
export type { RunEvent } from './events/event-schema.ts'
export type { RunRoadmapOptions, SettingsFile } from './library/options.ts'

/**
 * Works through the open tasks of a repository's roadmap, as `executor run` does, and returns the report that
 * `executor run --json` prints. Never exits the process, handles no signal, and prints nothing. Runs one after
 * another; a second one in the same repository at the same time is refused.
 *
 * @throws ExecutorError for a fault of the set-up: its `code`, `message` and `next` say which, and what to do
 */
async function run(options: RunRoadmapOptions = {}): Promise<Report> {
  const { runRepository } = await import('./library/run-repository.ts')
  return runRepository(options)
}

export { run as runRoadmap }
