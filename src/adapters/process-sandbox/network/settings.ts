import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'smol-toml'
import { z } from 'zod'
import { isBare } from '../environment.ts'
import type { Carried } from './entrance.ts'

/** Where the operator's own settings are found. */
export interface Operator {
  readonly outer: Readonly<Record<string, string | undefined>>
  readonly home: string
}

export type SettingsReader = (operator: Operator) => Promise<Carried>

const patience = 20_000

/** What a program of this machine prints, away from any project; nothing where it fails. */
const ask = (argv: readonly [string, ...string[]], { outer }: Operator): Promise<string> =>
  new Promise((resolve) => {
    const [program, ...given] = argv
    const options = { cwd: '/', env: outer, timeout: patience, maxBuffer: 4 * 1024 * 1024 }
    execFile(program, given, options, (error, stdout) => resolve(error === null ? stdout : ''))
  })

const readOrNothing = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

const parseJson = <Value>(shape: z.ZodType<Value>, text: string, otherwise: Value): Value => {
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    return otherwise
  }
}

export const npmSettings: SettingsReader = async (operator) => {
  const text = await ask(['npm', 'config', 'list', '--json'], operator)
  const all = Object.entries(parseJson(z.record(z.string(), z.unknown()), text, {}))
  const registries = all.flatMap(([key, value]) =>
    /^(?:@[^:]+:)?registry$/.test(key) && typeof value === 'string' && isBare(value)
      ? [`${key}=${value}`]
      : [],
  )
  const own = registries.find((line) => line.startsWith('registry='))?.slice('registry='.length)
  const forYarn = own === undefined ? {} : { '.yarnrc.yml': `npmRegistryServer: ${quote(own)}\n` }
  return { env: {}, files: { '.npmrc': `${registries.join('\n')}\n`, ...forYarn } }
}

const quote = (text: string): string => JSON.stringify(text.replace(/\/$/, ''))

export const pipSettings: SettingsReader = async (operator) => {
  const text = await ask(['python3', '-m', 'pip', 'config', 'list'], operator)
  const found = [
    ...text.matchAll(/^(?:global|install)\.((?:extra-)?index-url|trusted-host)='(.*)'$/gm),
  ]
  const kept = found.flatMap(([, key = '', value = '']) => {
    const words = value.split(/\\n|\s+/).filter((word) => word !== '' && isBare(word))
    return words.length === 0 ? [] : [`${key} = ${words.join('\n  ')}`]
  })
  return { env: {}, files: { '.config/pip/pip.conf': ['[global]', ...kept, ''].join('\n') } }
}

const goNames = ['GOPROXY', 'GOSUMDB', 'GOPRIVATE', 'GONOPROXY', 'GONOSUMDB', 'GOINSECURE'] as const

export const goSettings: SettingsReader = async (operator) => {
  const text = await ask(['go', 'env', '-json', ...goNames], operator)
  const all = Object.entries(parseJson(z.record(z.string(), z.string()), text, {}))
  return { env: Object.fromEntries(all.filter(([, v]) => v !== '' && isBare(v))), files: {} }
}

const cargoConfig = z.object({
  source: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  registries: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  registry: z.record(z.string(), z.unknown()).optional(),
})

/** Keys of cargo's that say where registries are; tokens are under others. */
const cargoKeys = ['registry', 'replace-with', 'index', 'protocol', 'default']

/** No command of cargo's tells what is set. */
export const cargoSettings: SettingsReader = async ({ outer, home }) => {
  const place = outer.CARGO_HOME || join(home, '.cargo')
  const texts = await Promise.all(
    ['config.toml', 'config'].map((name) => readOrNothing(join(place, name))),
  )
  const text = texts.find((each) => each !== '') ?? ''
  const pick = (table: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(table).filter(
        ([key, value]) => cargoKeys.includes(key) && typeof value === 'string' && isBare(value),
      ),
    )
  const pickEach = (tables: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}) =>
    Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, pick(table)]))
  try {
    const { source, registries, registry = {} } = cargoConfig.parse(parse(text))
    const kept = {
      source: pickEach(source),
      registries: pickEach(registries),
      registry: pick(registry),
    }
    return { env: {}, files: {}, cargo: stringify(kept) }
  } catch {
    return { env: {}, files: {} }
  }
}

/** The person's own settings first; then what every Maven of this machine reads. */
export const mavenSettings: SettingsReader = async ({ outer, home }) => {
  const global = [outer.MAVEN_HOME, outer.M2_HOME].flatMap((place) =>
    place ? [join(place, 'conf/settings.xml')] : [],
  )
  const places = [join(home, '.m2/settings.xml'), ...global, '/etc/maven/settings.xml']
  const texts = await Promise.all(places.map(readOrNothing))
  const text = texts.map((each) => each.replace(/<!--[\s\S]*?-->/g, '')).join('\n')
  const all = (name: string) =>
    [...text.matchAll(new RegExp(`<${name}>[^]*?</${name}>`, 'g'))].map(String).filter(isBare)
  const list = (name: string, names: string) => `<${names}>${all(name).join('')}</${names}>`
  const profile = [
    '<profile><id>executor</id><activation><activeByDefault>true</activeByDefault></activation>',
    ...[list('repository', 'repositories'), list('pluginRepository', 'pluginRepositories')],
    '</profile>',
  ].join('')
  const proxy = '<proxy><protocol>http</protocol><host>127.0.0.1</host><port>PORT</port></proxy>'
  const parts = [`<proxies>${proxy}</proxies>`, list('mirror', 'mirrors')]
  const settings = `<settings>${parts.join('')}<profiles>${profile}</profiles></settings>\n`
  return { env: {}, files: { '.m2/settings.xml': settings } }
}

/** Their own default, and what a project names. */
export const noSettings: SettingsReader = async () => ({ env: {}, files: {} })

export const urlsIn = (text: string): readonly string[] =>
  text.match(/https?:\/\/[^\s"'<>,|]+/g) ?? []

/** The addresses in what goes inside. */
export const urlsOf = ({ env, files, cargo = '' }: Carried): readonly string[] =>
  [...Object.values(env), ...Object.values(files), cargo].flatMap(urlsIn)
