import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import { isInside } from '../lent-folder.ts'
import { toolEnvironment } from './environment.ts'

/** The programs of this machine, as far as a sandbox must show them. */
export interface Toolchain {
  /** Absolute, existing directories in the order of PATH. */
  readonly path: readonly string[]
  /** What must be readable for those programs to work, outermost directories only. */
  readonly readOnly: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Programs that are often links or shims to an installation somewhere else. */
const programs = ['node', 'npm', 'python3', 'python', 'pip', 'java', 'go', 'cargo', 'ruby', 'php']

/** Version managers keep installations here, under the home that a sandbox does not show. */
const managed = [
  '.asdf/installs',
  '.local/pipx',
  '.local/share/fnm',
  '.local/share/mise',
  '.local/share/pipx',
  '.local/share/pnpm',
  '.local/share/uv',
  '.pyenv',
  '.rustup',
  '.sdkman/candidates',
]

/** Homes of managers whose environment variable is needed once HOME is another. */
const managerHomes = { PYENV_ROOT: '.pyenv', RUSTUP_HOME: '.rustup' }

/** `…/.rbenv/shims` in PATH: where that manager is, wherever home may be. */
function managersIn(path: readonly string[]): Readonly<Record<string, string>> {
  const found = path
    .filter((bin) => basename(bin) === 'shims')
    .flatMap((bin) => {
      const place = dirname(bin)
      const name = basename(place).replace(/^\./, '').toUpperCase()
      if (/^[A-Z]+ENV$/.test(name)) return [[`${name}_ROOT`, place]]
      return name === 'ASDF' || name === 'MISE' ? [[`${name}_DATA_DIR`, place]] : []
    })
  return Object.fromEntries(found)
}

/** The file that runs when this program is started, or `null`. */
export function findProgram(program: string, path: readonly string[]): string | null {
  const candidates = program.includes('/') ? [] : path.map((directory) => join(directory, program))
  return candidates.find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/**
 * `…/bin` stands for the installation around it, unless that is a place which also holds a
 * person's own files (`~/bin`, `~/.local/bin`, a repository's `bin`): then for itself alone.
 */
function installationOf(bin: string, home: string): string {
  const parent = dirname(bin)
  const shared = [join(home, '.local'), join(home, '.cargo')]
  // A version manager is there as a whole or not at all; it is often a clone of its repository.
  if (basename(bin) === 'shims' && !isInside(home, parent)) return parent
  const isBin = ['bin', 'sbin', '.bin'].includes(basename(bin))
  const personal =
    shared.includes(parent) || isInside(home, parent) || existsSync(join(parent, '.git'))
  return isBin && !personal ? parent : bin
}

/** Everybody's: a program in `/tmp/bin` is no reason to show `/tmp`. */
const common = ['/tmp', '/var/tmp', tmpdir()]

/** `secret` directories are never shown, nor anything that contains one of them. */
export function readToolchain(
  outer: Readonly<Record<string, string | undefined>>,
  home: string,
  secret: readonly string[],
): Toolchain {
  const listed = (outer.PATH ?? '').split(delimiter)
  const path = [...new Set(listed)].filter((entry) => isAbsolute(entry) && existsSync(entry))
  const env = { ...managersIn(path), ...toolEnvironment(outer) }
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
  return { path, readOnly: outermost(showable), env }
}

/** Drops what lies inside another entry. */
function outermost(places: readonly string[]): readonly string[] {
  return places.filter(
    (place) => !places.some((other) => other !== place && isInside(place, other)),
  )
}
