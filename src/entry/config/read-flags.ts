import { options, shorthands } from './options.ts'

/**
 * The settings among a parsed command line's options, by key, ready for `resolveSettings`.
 * Takes the names commander makes: `--max-tasks` is `maxTasks`, `--no-recovery` is `recovery: false`.
 */
export function readFlags(
  parsed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const flags: Record<string, unknown> = {}
  for (const { flag, key, value } of shorthands) {
    const negated = flag.startsWith('--no-')
    const name = camelCase(flag.replace(/^--(no-)?/, ''))
    if (parsed[name] === !negated) flags[key] = value
  }
  for (const { flag, key } of options) {
    const given = flag === null ? undefined : parsed[camelCase(key)]
    if (given !== undefined) flags[key] = given
  }
  return flags
}

const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
