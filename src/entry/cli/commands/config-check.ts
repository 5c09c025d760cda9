import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findCalibration } from '../../../adapters/calibration-file.ts'
import { findRepository } from '../../../adapters/user-checkout.ts'
import { valuesOf } from '../../config/describe-settings.ts'
import { type Option, options } from '../../config/options.ts'
import { configPath, describeProblem } from '../../config/resolve-in-repository.ts'
import type { ResolvedSettings, SettingOrigin } from '../../config/resolve-settings.ts'
import { cacheDirectory } from '../../own-directory.ts'
import { describeCalibration } from '../describe-calibration.ts'
import type { Flags } from '../flags.ts'
import { resolveFor } from '../load-settings.ts'
import type { Terminal } from '../terminal.ts'

type Resolved = Extract<ResolvedSettings, { readonly status: 'ok' }>

/** Secrets come from the environment only, and no output shows their values. */
const secretNames = ['OPENAI_API_KEY', 'GITHUB_TOKEN'] as const

/** `executor config check`: 0 when the configuration is valid, else 2 with every problem. */
export async function configCheck(flags: Flags<'json'>, terminal: Terminal): Promise<number> {
  const { root } = await findRepository(terminal.directory)
  const resolved = await resolveFor(root, {}, terminal)
  if (resolved.status === 'invalid') {
    if (flags.json) terminal.print(JSON.stringify({ valid: false, problems: resolved.problems }))
    else for (const problem of resolved.problems) terminal.say(describeProblem(problem))
    return 2
  }
  const secrets = secretNames.map((name) => [name, terminal.environment[name] ? 'set' : 'not set'])
  const { settings } = resolved
  const calibration = await findCalibration(cacheDirectory(), settings.model)
  if (flags.json) {
    const { origins } = resolved
    const known = { settings, origins, secrets: Object.fromEntries(secrets), calibration }
    const document = { valid: true, ...known }
    terminal.print(JSON.stringify(document, null, 2))
    return 0
  }
  showSettings(resolved, terminal)
  terminal.print(terminal.paint('bold', '\nCalibration'))
  terminal.print(`  ${describeCalibration(calibration)}`)
  terminal.print(terminal.paint('bold', '\nSecrets'))
  for (const [name, state] of secrets) terminal.print(`  ${name}: ${state}`)
  const isThere = existsSync(join(root, configPath))
  const isChanged = Object.values(resolved.origins).includes('file')
  const said = `${configPath} is valid${isChanged ? '' : ' and changes nothing'}.`
  terminal.say(`\n${isThere ? said : `There is no ${configPath}; executor init writes one.`}`)
  return 0
}

function showSettings({ given, origins }: Resolved, { print, paint }: Terminal): void {
  const read = valuesOf(given)
  const isDefault = ({ key }: Option) => (origins[key] ?? 'default') === 'default'
  const changed = options.filter((option) => !isDefault(option))
  const line = (option: Option) => `${option.key}: ${writeValue(read(option.key), option)}`
  const width = Math.min(40, Math.max(0, ...changed.map((option) => line(option).length)))
  print(paint('bold', changed.length === 0 ? 'Nothing is changed' : 'Changed'))
  for (const option of changed) {
    print(`  ${line(option).padEnd(width)}  ${paint('dim', nameOrigin(option, origins))}`)
  }
  print(paint('bold', '\nDefaults'))
  for (const option of options.filter(isDefault)) print(`  ${line(option)}`)
}

function nameOrigin({ key, environment }: Option, origins: Resolved['origins']): string {
  const names: Readonly<Record<SettingOrigin, string>> = {
    file: configPath,
    environment: environment ?? 'environment',
    flag: 'flag',
    default: '',
  }
  return names[origins[key] ?? 'default']
}

/** The value as in the file; an address without its password. */
function writeValue(value: unknown, { description }: Option): string {
  if (value === null || value === '') {
    const [, instead = 'not set'] = /([^.;]+) by default/.exec(description) ?? []
    return instead.trim().toLowerCase()
  }
  if (typeof value === 'string') return value.replace(/(?<=^https?:\/\/)[^/@]+(?=@)/, '***')
  return Object.keys(Object(value)).length === 0 && typeof value === 'object'
    ? 'none'
    : JSON.stringify(value)
}
