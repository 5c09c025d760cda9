import type { z } from 'zod'
import { closestName } from '../../../packages/text/text.ts'
import {
  type ApprovalMode,
  fileSchema,
  type Settings,
  type StackMode,
  settingsSchema,
  usualEndpoint,
} from '../../core/domain/settings.ts'
import { options } from './options.ts'
import type { ConfigFile, ConfigProblem } from './read-config-file.ts'

export interface SettingsSources {
  /** Command-line flags or Action inputs by key of `options`. Empty ones count as not given. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly file: ConfigFile | null
  /** Defaults that depend on the place: GitHub, a terminal, or neither. */
  readonly defaults: { readonly approvalMode: ApprovalMode; readonly stack: StackMode }
}

export type SettingOrigin = 'flag' | 'environment' | 'file' | 'default'

export type ResolvedSettings =
  /** `origins` are by key of `options`, such as `limits.starts`. */
  | {
      readonly status: 'ok'
      readonly settings: Settings
      /** Values that were given or that depend on the place, as in the file. */
      readonly given: Readonly<Record<string, unknown>>
      readonly origins: Readonly<Record<string, SettingOrigin>>
    }
  | { readonly status: 'invalid'; readonly problems: readonly ConfigProblem[] }

/** The values of one origin by key; only those in `problems` are wrong. */
interface Layer {
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: readonly ConfigProblem[]
}

/** Merges flags or inputs, environment, file and defaults: the first with a key wins. Finds every problem. */
export function resolveSettings(sources: SettingsSources): ResolvedSettings {
  const flags = readFlags(sources.flags)
  const environment = readEnvironment(sources.environment)
  const file = sources.file === null ? { values: {}, problems: [] } : checkFile(sources.file)
  const problems = [...flags.problems, ...environment.problems, ...file.problems]
  if (problems.length > 0) return { status: 'invalid', problems }

  const chosen = { ...file.values, ...environment.values, ...flags.values }
  const given = {
    'approval-mode': sources.defaults.approvalMode,
    stack: Number(chosen.parallel ?? 1) > 1 ? 'auto' : sources.defaults.stack,
    ...chosen,
  }
  const settings = settingsSchema.parse(given)
  if (settings.parallel > 1 && settings.stack === 'chain') {
    return { status: 'invalid', problems: [chainInParallel(settings.parallel)] }
  }
  const origins = options.map(({ key }): [string, SettingOrigin] => {
    if (key in flags.values) return [key, 'flag']
    if (key in environment.values) return [key, 'environment']
    return [key, holds(file.values, key) ? 'file' : 'default']
  })
  return { status: 'ok', settings, given, origins: Object.fromEntries(origins) }
}

const chainInParallel = (parallel: number): ConfigProblem => ({
  ...{ path: 'parallel', line: 0, column: 0 },
  message: `parallel ${parallel} and stack chain exclude each other: in a chain, each task starts from the one before it`,
  fix: 'Set stack to auto or none, or parallel to 1.',
})

const readFlags = (flags: Readonly<Record<string, unknown>>): Layer =>
  mergeLayers(
    Object.entries(flags)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([key, value]) => readValue(key, value, key)),
  )

function readEnvironment(environment: SettingsSources['environment']): Layer {
  return mergeLayers(
    options.flatMap(({ key, environment: name }) => {
      const value = name === null ? undefined : environment[name]?.trim()
      if (name === null || value === undefined || value === '') return []
      // The kill switch stops unless the value clearly says no, and never starts what the file forbids.
      if (key === 'enabled')
        return /^(false|0|no|off)$/i.test(value)
          ? []
          : [{ values: { enabled: false }, problems: [] }]
      return [readValue(key, value, name)]
    }),
  )
}

/** Converts the text of a flag or variable to the number or boolean that its key needs. */
function readValue(key: string, written: unknown, path: string): Layer {
  if (!Object.hasOwn(fileSchema.shape, key))
    return { values: {}, problems: [{ path, line: 0, column: 0, ...unknownKey(key, []) }] }
  const candidates = [written, ...interpretations(written)]
  for (const value of candidates)
    if (fileSchema.safeParse({ [key]: value }).success)
      return { values: { [key]: value }, problems: [] }
  const value = candidates.at(-1)
  const { error } = fileSchema.safeParse({ [key]: value })
  const problems = (error?.issues ?? []).map((issue) => {
    const { message, fix } = explainIssue(issue, value)
    return { path, line: 0, column: 0, message: `${key} ${message}`, fix }
  })
  return { values: {}, problems }
}

function interpretations(written: unknown): readonly unknown[] {
  if (typeof written !== 'string') return []
  if (/^-?\d+(\.\d+)?$/.test(written)) return [Number(written)]
  return /^(true|false)$/i.test(written) ? [written.toLowerCase() === 'true'] : []
}

function checkFile(file: ConfigFile): Layer {
  if (file.problems.length > 0) return file
  const issues = fileSchema.safeParse(file.values).error?.issues ?? []
  const problems = issues.flatMap((issue) => {
    const name = issue.path.join('.')
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => {
        const { message, fix } = unknownKey(key, issue.path)
        return file.problemAt([...issue.path, key], 'key', message, fix)
      })
    const { message, fix } = explainIssue(issue, valueAt(file.values, issue.path))
    return [file.problemAt(issue.path, 'value', `${name} ${message}`, fix)]
  })
  return { values: file.values, problems }
}

/** Suggests the same word in another group rather than a similar one in the same group. */
function unknownKey(
  key: string,
  group: readonly PropertyKey[],
): { readonly message: string; readonly fix: string } {
  const prefix = group.map((part) => `${String(part)}.`).join('')
  const message = `${prefix}${key.slice(0, 100)} is not a setting`
  const siblings = options
    .map((option) => option.key)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length).split('.')[0] ?? name)
  const elsewhere = options.find((option) => option.key.split('.').at(-1) === key)?.key
  const meant = elsewhere ?? closestName(key, siblings)
  if (meant !== null) return { message, fix: `Did you mean ${meant}?` }
  if (/key|token|secret|password/i.test(key))
    return { message, fix: 'Secrets do not belong here: set OPENAI_API_KEY.' }
  return { message, fix: 'docs/configuration.md lists every key.' }
}

function mergeLayers(layers: readonly Layer[]): Layer {
  return {
    values: Object.assign({}, ...layers.map((layer) => layer.values)),
    problems: layers.flatMap((layer) => layer.problems),
  }
}

const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => {
    const holder = Object(inner)
    return Object.hasOwn(holder, key) ? holder[key] : undefined
  }, values)

const holds = (values: Readonly<Record<string, unknown>>, key: string): boolean =>
  valueAt(values, key.split('.')) !== undefined

/** Explains a schema issue to the author of the value, and what to write instead. */
function explainIssue(
  issue: z.core.$ZodIssue,
  written: unknown,
): { readonly message: string; readonly fix: string } {
  const shown = show(written)
  switch (issue.code) {
    case 'invalid_value': {
      const allowed = issue.values.map(String)
      const meant = typeof written === 'string' ? closestName(written, allowed) : null
      return {
        message: `must be one of ${allowed.join(', ')}, not ${shown}`,
        fix: meant === null ? `Choose ${allowed.join(' or ')}.` : `Did you mean ${meant}?`,
      }
    }
    case 'invalid_type': {
      const expected = kinds[issue.expected] ?? issue.expected
      return {
        message: `must be ${expected}, not ${shown}`,
        fix: written === undefined ? 'Add it.' : `Write ${expected}.`,
      }
    }
    case 'too_small': {
      const least = `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`
      return { message: `must be ${measure(issue.origin, least)}`, fix: `Not ${shown}.` }
    }
    case 'too_big':
      return {
        message: `must be ${measure(issue.origin, `at most ${issue.maximum}`)}`,
        fix: `Not ${shown}.`,
      }
    case 'invalid_format':
      return issue.format === 'url'
        ? {
            message: `must be an http or https URL, not ${shown}`,
            fix: `For example ${usualEndpoint}`,
          }
        : { message: issue.message, fix: `Not ${shown}.` }
    default:
      return { message: issue.message, fix: 'docs/configuration.md shows the allowed values.' }
  }
}

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of keys',
  record: 'a group of keys',
}

function measure(origin: string, size: string): string {
  if (origin === 'string') return `${size} characters long`
  if (origin === 'array') return `a list of ${size}`
  return size
}

function show(value: unknown): string {
  if (value === undefined) return 'missing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
