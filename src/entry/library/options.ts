import type { z } from 'zod'
import type { fileSchema } from '../../core/domain/settings.ts'
import type { Forge } from '../../core/ports/forge.ts'
import type { Model } from '../../core/ports/model.ts'
import type { Person } from '../../core/ports.ts'
import type { RunEvent } from '../events/event-schema.ts'

/** The settings, with the keys of `.github/executor.yml`. docs/configuration.md describes each. */
export type SettingsFile = z.input<typeof fileSchema>

/** What to run, and what takes the place of the usual model, forge and person. */
export interface RunRoadmapOptions {
  /** A folder inside the repository; the current directory by default. */
  readonly repository?: string | undefined
  /** They win over the environment and the repository's file. A group, such as `limits`, replaces that of the file. */
  readonly settings?: SettingsFile | undefined
  /** Ids, also of tasks that failed before; all open tasks by default. */
  readonly tasks?: readonly string[] | undefined
  /** Discards an unfinished run instead of resuming it. Finished branches still count. */
  readonly fresh?: boolean | undefined
  /** Writes nothing; the report has the order and a forecast. */
  readonly dryRun?: boolean | undefined
  /** The key for the endpoint; `OPENAI_API_KEY` by default. */
  readonly apiKey?: string | undefined
  /** Stops the run, which saves its state: the same call resumes it. */
  readonly signal?: AbortSignal | undefined
  /** Receives each event after its fact is saved. An error that it throws stops the run. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined
  /** Answers in place of the endpoint, and counts its own dollars. */
  readonly model?: Model | undefined
  /** Receives pull requests, comments and issues. By default there are only branches. */
  readonly forge?: Forge | undefined
  /** Decides about destructive operations and proposals. Without one, they wait. */
  readonly person?: Person | undefined
}
