import { closestName } from '../../text/words/names.ts'
import { options } from './options.ts'
import type { ConfigProblem } from './read-config-file.ts'

const commands = ['auto', 'run', 'lint', 'plan', 'reconcile', 'report'] as const

/** Every input of `action.yml`, read once. */
export interface ActionInputs {
  readonly command: (typeof commands)[number]
  readonly task: string | null
  /** Path of the configuration file inside the repository. */
  readonly config: string
  readonly dryRun: boolean
  readonly apiKey: string | null
  readonly githubToken: string | null
  /** Inputs that are settings, as they were written and only where they were: the `flags` of `resolveSettings`. */
  readonly settings: Readonly<Record<string, string>>
}

export type ReadInputs =
  | { readonly status: 'ok'; readonly inputs: ActionInputs }
  | { readonly status: 'invalid'; readonly problems: readonly ConfigProblem[] }

/** `getInput` is that of @actions/core: trimmed, empty for what was not given. */
export function readActionInputs(getInput: (name: string) => string): ReadInputs {
  const problems: ConfigProblem[] = []
  const refuse = (name: string, message: string, fix: string) => {
    problems.push({ path: name, line: 0, column: 0, message: `${name} ${message}`, fix })
  }
  const text = (name: string): string | null => getInput(name) || null
  const yesOrNo = (name: string): boolean => {
    const written = getInput(name).toLowerCase()
    if (written !== '' && written !== 'true' && written !== 'false')
      refuse(name, `must be true or false, not ${written}`, 'Write true or false.')
    return written === 'true'
  }
  const readCommand = (): ActionInputs['command'] => {
    const written = text('command') ?? 'auto'
    const command = commands.find((one) => one === written)
    if (command !== undefined) return command
    const meant = closestName(written, commands)
    refuse(
      'command',
      `must be one of ${commands.join(', ')}, not ${written}`,
      meant === null ? 'Leave it out to let the event decide.' : `Did you mean ${meant}?`,
    )
    return 'auto'
  }

  const inputs: ActionInputs = {
    command: readCommand(),
    task: text('task'),
    config: text('config') ?? '.github/executor.yml',
    dryRun: yesOrNo('dry-run'),
    apiKey: text('api-key'),
    githubToken: text('github-token'),
    settings: Object.fromEntries(
      options.flatMap(({ input }): [string, string][] => {
        const written = input === null ? null : text(input)
        return input === null || written === null ? [] : [[input, written]]
      }),
    ),
  }
  return problems.length > 0 ? { status: 'invalid', problems } : { status: 'ok', inputs }
}
