/** The programs that work on a task, and how each is started with its own defaults. */
import { join } from 'node:path'
import { offline } from '../peer-programs.ts'
import { project } from '../workshop.ts'
import type { RealTask } from './real-task.ts'

export const realProgramNames = ['executor', 'naive', 'aider', 'mini-swe-agent'] as const

export type RealProgramName = (typeof realProgramNames)[number]

export interface AskedOf {
  readonly task: RealTask
  readonly baseUrl: string
  readonly model: string
  /** Where the program is, if it is not a part of this project. */
  readonly path: string
}

export interface RealProgram {
  readonly argv: (asked: AskedOf) => readonly string[]
  readonly env: (asked: AskedOf) => Readonly<Record<string, string>>
  /** An answer without it cannot be used; of the executor, its journal says which could not. */
  readonly usable: RegExp | null
}

const goalOf = ({ text, command }: RealTask): string => `${text}\nMust pass: ${command}`

const executor: RealProgram = {
  argv: ({ task, baseUrl, model, path }) => [
    ...[process.execPath, path, 'run', '--task', task.roadmapId],
    ...['--base-url', baseUrl, '--model', model],
  ],
  env: () => ({}),
  usable: null,
}

const naive: RealProgram = {
  argv: ({ task, baseUrl, model }) => [
    ...[process.execPath, join(project, 'bench/real-model/naive.ts')],
    ...['--base-url', baseUrl, '--model', model],
    ...['--task', task.text, '--file', task.files[0] ?? '', '--test', task.command],
    ...task.shown.flatMap((path) => ['--show', path]),
  ],
  env: () => ({}),
  usable: /^ *```[^\n]*\n[\s\S]*?^ *```/m,
}

const aider: RealProgram = {
  argv: ({ task, baseUrl, model, path }) => [
    ...[path, '--model', `openai/${model}`, '--openai-api-base', baseUrl],
    ...['--message', goalOf(task), '--auto-test', '--test-cmd', task.command, '--yes-always'],
    ...['--no-show-model-warnings', '--no-check-update', '--no-show-release-notes'],
    ...['--analytics-disable', '--no-detect-urls', '--no-pretty'],
    ...task.shown.flatMap((shown) => ['--read', shown]),
    ...task.files,
  ],
  env: () => ({ ...offline, LITELLM_LOCAL_MODEL_COST_MAP: 'True' }),
  usable: /^ *```[^\n]*\n[\s\S]*?^ *```/m,
}

const miniSweAgent: RealProgram = {
  argv: ({ task, model, path }) => [
    ...[path, '--model', `openai/${model}`, '--task', goalOf(task)],
    ...['--yolo', '--exit-immediately', '--cost-limit', '0'],
  ],
  env: ({ baseUrl }) => ({
    ...offline,
    OPENAI_API_BASE: baseUrl,
    OPENAI_BASE_URL: baseUrl,
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    MSWEA_CONFIGURED: 'true',
    MSWEA_SILENT_STARTUP: '1',
    MSWEA_COST_TRACKING: 'ignore_errors',
  }),
  // Its answers are calls of a shell.
  usable: /"name":/,
}

export const realPrograms: Readonly<Record<RealProgramName, RealProgram>> = {
  executor,
  naive,
  aider,
  'mini-swe-agent': miniSweAgent,
}
