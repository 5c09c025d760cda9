import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'smol-toml'
import { z } from 'zod'
import { jsonFields, parseJson } from '../../text/text.ts'
import { isBare } from '../toolchain.ts'
import type { Carried } from './entrance.ts'

/** The location of the operator's settings. */
export interface Operator {
  readonly outer: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/**
 * How to read an installer's settings, and how to download one small package without running it.
 */
interface Installer {
  /** Without it: the installer's default, and what a project names. */
  readonly settings?: (operator: Operator) => Promise<Carried>
  readonly fetch: string
}

const writing = (name: string, ...lines: readonly string[]): string =>
  `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} > ${name}`

const apachePom = [
  '<project><modelVersion>4.0.0</modelVersion><packaging>pom</packaging><artifactId>a</artifactId>',
  '<parent><groupId>org.apache</groupId><artifactId>apache</artifactId><version>30</version>',
  '<relativePath/></parent></project>',
]
const crate = ['[package]', 'name = "a"', 'version = "0.0.0"', '[dependencies]', 'cfg-if = "1"']
const gemfile = ['source Gem.sources.first', 'gem "rake"']

/** By installing program. */
export const installers: Readonly<Record<string, Installer>> = {
  npm: { settings: npmSettings, fetch: 'npm pack --ignore-scripts --cache .cache isarray' },
  python3: {
    settings: pipSettings,
    fetch:
      'python3 -m pip download --disable-pip-version-check --no-cache-dir --no-deps --only-binary=:all: six',
  },
  go: {
    settings: goSettings,
    fetch:
      'GOMODCACHE="$PWD/cache" GOFLAGS=-modcacherw go mod download golang.org/x/xerrors@latest',
  },
  cargo: {
    settings: cargoSettings,
    fetch: `mkdir src && : > src/lib.rs && ${writing('Cargo.toml', ...crate)} && CARGO_HOME="$PWD/home" cargo fetch`,
  },
  mvn: {
    settings: mavenSettings,
    fetch: `${writing('pom.xml', ...apachePom)} && mvn -B -q -Dmaven.repo.local="$PWD/repository" validate`,
  },
  bundle: {
    fetch: `${writing('Gemfile', ...gemfile)} && BUNDLE_PATH="$PWD/gems" bundle install`,
  },
  composer: {
    fetch: `${writing('composer.json', '{"require":{"psr/log":"*"}}')} && COMPOSER_CACHE_DIR=.cache composer install --no-interaction --no-scripts --no-plugins`,
  },
}

/** Programs that use another installer's registries. */
const alike: Readonly<Record<string, string>> = {
  ...{ pnpm: 'npm', yarn: 'npm', bun: 'npm' },
  ...{ uv: 'python3', poetry: 'python3' },
}

export const installerOf = (program: string): string => alike[program] ?? program

const patience = 20_000

/** The output of a program on this machine, outside any project; empty if it fails. */
const ask = (argv: readonly [string, ...string[]], { outer }: Operator): Promise<string> =>
  new Promise((resolve) => {
    const [program, ...given] = argv
    const options = { cwd: '/', env: outer, timeout: patience, maxBuffer: 4 * 1024 * 1024 }
    execFile(program, given, options, (error, stdout) => resolve(error === null ? stdout : ''))
  })

/** The strings of a JSON object that a program prints, by key; empty for any other output. */
async function askTexts(
  argv: readonly [string, ...string[]],
  operator: Operator,
): Promise<readonly (readonly [string, string])[]> {
  const all = jsonFields(parseJson(await ask(argv, operator)))
  return Object.entries(all).flatMap(([key, value]) =>
    typeof value === 'string' && isBare(value) ? [[key, value] as const] : [],
  )
}

const readOrNothing = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

async function npmSettings(operator: Operator): Promise<Carried> {
  const all = await askTexts(['npm', 'config', 'list', '--json'], operator)
  const registries = all.filter(([key]) => /^(?:@[^:]+:)?registry$/.test(key))
  const own = registries.find(([key]) => key === 'registry')?.[1].replace(/\/$/, '')
  const lines = registries.map(([key, url]) => `${key}=${url}\n`)
  const forYarn = own === undefined ? '' : `npmRegistryServer: ${JSON.stringify(own)}\n`
  return {
    files: { '.npmrc': lines.join('') || '\n', ...(forYarn && { '.yarnrc.yml': forYarn }) },
  }
}

async function pipSettings(operator: Operator): Promise<Carried> {
  const text = await ask(['python3', '-m', 'pip', 'config', 'list'], operator)
  const found = [
    ...text.matchAll(/^(?:global|install)\.((?:extra-)?index-url|trusted-host)='(.*)'$/gm),
  ]
  const kept = found.flatMap(([, key = '', value = '']) => {
    const words = value.split(/\\n|\s+/).filter((word) => word !== '' && isBare(word))
    return words.length === 0 ? [] : [`${key} = ${words.join('\n  ')}`]
  })
  return { files: { '.config/pip/pip.conf': ['[global]', ...kept, ''].join('\n') } }
}

const goNames = ['GOPROXY', 'GOSUMDB', 'GOPRIVATE', 'GONOPROXY', 'GONOSUMDB', 'GOINSECURE'] as const

async function goSettings(operator: Operator): Promise<Carried> {
  const all = await askTexts(['go', 'env', '-json', ...goNames], operator)
  return { env: Object.fromEntries(all.filter(([, value]) => value !== '')) }
}

const table = z.record(z.string(), z.unknown())
const cargoConfig = z.object({
  source: z.record(z.string(), table).default({}),
  registries: z.record(z.string(), table).default({}),
  registry: table.default({}),
})

/** Cargo's keys for registry locations; tokens have others. */
const cargoKeys = ['registry', 'replace-with', 'index', 'protocol', 'default']

/** Cargo has no command that prints its settings. */
async function cargoSettings({ outer, home }: Operator): Promise<Carried> {
  const place = outer.CARGO_HOME || join(home, '.cargo')
  const text =
    (await readOrNothing(join(place, 'config.toml'))) ||
    (await readOrNothing(join(place, 'config')))
  const pick = (values: z.infer<typeof table>) =>
    Object.fromEntries(
      Object.entries(values).filter(
        ([key, value]) => cargoKeys.includes(key) && typeof value === 'string' && isBare(value),
      ),
    )
  const pickEach = (tables: Readonly<Record<string, z.infer<typeof table>>>) =>
    Object.fromEntries(Object.entries(tables).map(([name, values]) => [name, pick(values)]))
  try {
    const { source, registries, registry } = cargoConfig.parse(parse(text))
    const kept = { source: pickEach(source), registries: pickEach(registries) }
    return { cargo: stringify({ ...kept, registry: pick(registry) }) }
  } catch {
    return {}
  }
}

/** The user's settings first, then those of the machine. */
async function mavenSettings({ outer, home }: Operator): Promise<Carried> {
  const global = [outer.MAVEN_HOME, outer.M2_HOME].flatMap((place) =>
    place ? [join(place, 'conf/settings.xml')] : [],
  )
  const places = [join(home, '.m2/settings.xml'), ...global, '/etc/maven/settings.xml']
  const texts = await Promise.all(places.map(readOrNothing))
  const text = texts.map((each) => each.replace(/<!--[\s\S]*?-->/g, '')).join('\n')
  const list = (name: string, names: string) => {
    const all = text.match(new RegExp(`<${name}>[^]*?</${name}>`, 'g')) ?? []
    return `<${names}>${all.filter(isBare).join('')}</${names}>`
  }
  const settings = [
    '<settings><proxies>',
    '<proxy><protocol>http</protocol><host>127.0.0.1</host><port>PORT</port></proxy>',
    `</proxies>${list('mirror', 'mirrors')}<profiles>`,
    '<profile><id>executor</id><activation><activeByDefault>true</activeByDefault></activation>',
    `${list('repository', 'repositories')}${list('pluginRepository', 'pluginRepositories')}`,
    '</profile></profiles></settings>\n',
  ]
  return { files: { '.m2/settings.xml': settings.join('') } }
}
