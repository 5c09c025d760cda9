import { existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import { findProgram, isInside } from '../files/files.ts'

/** The programs of this machine, as far as a sandbox must show them. */
export interface Toolchain {
  /** Absolute, existing directories in the order of PATH. */
  readonly path: readonly string[]
  /** Outermost directories that these programs need to read. */
  readonly readOnly: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Programs that are often links or shims to another location. */
const programs = ['node', 'npm', 'python3', 'python', 'pip', 'java', 'go', 'cargo', 'ruby', 'php']

/** Places in the home, which a sandbox hides, where version managers install programs. */
const managed = [
  ...['.asdf/installs', '.local/pipx', '.pyenv', '.rustup', '.sdkman/candidates'],
  ...['fnm', 'mise', 'pipx', 'pnpm', 'uv'].map((name) => `.local/share/${name}`),
]

/** Managers that need this variable when HOME changes. */
const managerHomes = { PYENV_ROOT: '.pyenv', RUSTUP_HOME: '.rustup' }

/** Finds managers through `…/.rbenv/shims` in PATH, wherever the home is. */
function managersIn(path: readonly string[]): Readonly<Record<string, string>> {
  const places = path.filter((bin) => basename(bin) === 'shims').map((bin) => dirname(bin))
  const found = places.flatMap((place) => {
    const name = basename(place).replace(/^\./, '').toUpperCase()
    if (/^[A-Z]+ENV$/.test(name)) return [[`${name}_ROOT`, place]]
    return name === 'ASDF' || name === 'MISE' ? [[`${name}_DATA_DIR`, place]] : []
  })
  return Object.fromEntries(found)
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/**
 * Maps `…/bin` to its installation, unless that also holds personal files (`~/bin`, `~/.local/bin`,
 * a repository's `bin`): then only to itself.
 */
function installationOf(bin: string, home: string): string {
  const parent = dirname(bin)
  const shared = [join(home, '.local'), join(home, '.cargo')]
  // A version manager works only as a whole; it is often a clone of its repository.
  if (basename(bin) === 'shims' && !isInside(home, parent)) return parent
  const isBin = ['bin', 'sbin', '.bin'].includes(basename(bin))
  const personal =
    shared.includes(parent) || isInside(home, parent) || existsSync(join(parent, '.git'))
  return isBin && !personal ? parent : bin
}

/** Shared folders: a program in `/tmp/bin` is no reason to show `/tmp`. */
const common = ['/tmp', '/var/tmp', tmpdir()]

/** Never shows a `secret` directory, or one that contains it. */
export function readToolchain(
  outer: Variables,
  home: string,
  secret: readonly string[],
): Toolchain {
  const listed = (outer.PATH ?? '').split(delimiter)
  const path = [...new Set(listed)].filter((entry) => isAbsolute(entry) && existsSync(entry))
  const env = { ...managersIn(path), ...pick(outer, toolVariables) }
  for (const [name, place] of Object.entries(managerHomes)) {
    const directory = join(home, place)
    if (env[name] === undefined && existsSync(directory)) env[name] = directory
  }
  const found = programs.flatMap((program) => findProgram(program, path) ?? [])
  const places = [
    ...path.flatMap((bin) => [bin, installationOf(bin, home), installationOf(realPath(bin), home)]),
    ...found.map((file) => installationOf(dirname(realPath(file)), home)),
    ...managed.map((place) => join(home, place)),
    ...Object.values(env).filter(isAbsolute),
  ]
  const showable = [...new Set(places)].filter(
    (place) =>
      existsSync(place) && ![home, ...common, ...secret].some((kept) => isInside(kept, place)),
  )
  const readOnly = showable.filter(
    (place) => !showable.some((other) => other !== place && isInside(place, other)),
  )
  return { path, readOnly, env }
}

type Variables = Readonly<Record<string, string | undefined>>

/** Variables that tell programs where their parts are. Paths, never credentials. */
const toolVariables = [
  ...['ASDF_DATA_DIR', 'ASDF_DIR', 'MISE_DATA_DIR', 'NVM_DIR', 'PYENV_ROOT', 'PYENV_VERSION'],
  ...['RBENV_ROOT', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN', 'VOLTA_HOME'],
  ...['GOROOT', 'JAVA_HOME', 'LD_LIBRARY_PATH'],
]

/** Variables that an installation needs to reach a registry: certificates and mirrors. */
const networkVariables = [
  ...['CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS', 'PIP_CERT', 'REQUESTS_CA_BUNDLE'],
  ...['SSL_CERT_DIR', 'SSL_CERT_FILE'],
  ...['BUN_CONFIG_REGISTRY', 'YARN_NPM_REGISTRY_SERVER', 'npm_config_registry'],
  ...['GOPROXY', 'GOSUMDB', 'PIP_EXTRA_INDEX_URL', 'PIP_INDEX_URL'],
  ...['UV_DEFAULT_INDEX', 'UV_EXTRA_INDEX_URL', 'UV_INDEX', 'UV_INDEX_URL'],
]

/** Without its own network, an installation uses the machine's proxies. */
const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
])

function pick(from: Variables, names: readonly string[]): Record<string, string> {
  const found = names.flatMap((name) => {
    const value = from[name]
    return value ? [[name, value] as const] : []
  })
  return Object.fromEntries(found)
}

/** A URL with a user or password is a credential and stays outside. */
export const isBare = (text: string): boolean => !text.includes('@')

export function networkEnvironment(
  outer: Variables,
  { withProxies = false }: { readonly withProxies?: boolean } = {},
): Record<string, string> {
  const indexes = Object.keys(outer).filter((name) => /^CARGO_REGISTRIES_\w+_INDEX$/.test(name))
  const names = [...networkVariables, ...indexes, ...(withProxies ? proxyVariables : [])]
  const found = Object.entries(pick(outer, names))
  return Object.fromEntries(found.filter(([, value]) => isBare(value)))
}

/**
 * An allow-list: model-written code sees nothing else. It requests colours neither on nor off,
 * because tests of colour output depend on it; the readers of output ignore colours.
 */
export function baseEnvironment(outer: Variables, path: string): Record<string, string> {
  const locale = Object.keys(outer).filter((name) => name.startsWith('LC_'))
  return {
    ...pick(outer, ['LANG', 'LANGUAGE', 'TZ', ...locale]),
    ...{ PATH: path, CI: '1', TERM: 'dumb', PYTHONDONTWRITEBYTECODE: '1' },
  }
}
