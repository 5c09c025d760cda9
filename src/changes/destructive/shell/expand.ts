import { DOWNLOADED, TEMPORARY, UNKNOWN } from '../finding.ts'
import type { Assignment, ShellCommand, Word, WordPart } from './command.ts'
import { literal } from './command.ts'

/** What the variables of a script hold where it has been read to; a missing one is unknown. */
export type Variables = Map<string, readonly string[]>

/** Values that grow beyond this are no command a person wrote. */
const MAX_VALUE = 20_000
const downloaders = new Set(['curl', 'wget', 'fetch', 'http', 'aria2c', 'iwr', 'invoke-webrequest'])

/** The arguments a word becomes, with unknown parts marked. */
export function expand(word: Word, variables: Variables): readonly string[] {
  const [only, ...others] = word.parts
  if (only?.kind === 'variable' && only.all && others.length === 0) {
    return variables.get(only.name) ?? [UNKNOWN]
  }
  const fields: string[] = []
  let field: string | null = null
  for (const part of word.parts) {
    const { text, isSplit } = expandPart(part, variables)
    if (!isSplit) {
      field = (field ?? '') + text
      continue
    }
    const [first = '', ...rest] = text.split(/[ \t\n]+/)
    if (first !== '') field = (field ?? '') + first
    for (const next of rest) {
      if (field !== null) fields.push(field)
      field = next === '' ? null : next
    }
  }
  if (field !== null) fields.push(field)
  return fields.map((text) => text.slice(0, MAX_VALUE))
}

/** The same as one text, as an assignment or a here-string takes it. */
export function expandWhole(word: Word, variables: Variables): string {
  const whole = word.parts.map((part) => expandPart(part, variables).text).join('')
  return whole.slice(0, MAX_VALUE)
}

export function assign({ name, values, isList }: Assignment, variables: Variables): void {
  if (isList)
    variables.set(name, values.flatMap((value) => expand(value, variables)).slice(0, 1000))
  else
    variables.set(
      name,
      values.map((value) => expandWhole(value, variables)),
    )
}

function expandPart(
  part: WordPart,
  variables: Variables,
): { readonly text: string; readonly isSplit: boolean } {
  switch (part.kind) {
    case 'text':
      return { text: part.text, isSplit: false }
    case 'variable': {
      const value = variables.get(part.name)
      return { text: value?.join(' ') ?? UNKNOWN, isSplit: !part.quoted && value !== undefined }
    }
    case 'commands':
      return { text: outputOf(part.commands), isSplit: false }
    default:
      return { text: UNKNOWN, isSplit: false }
  }
}

/** What commands print, where it matters: a download, a temporary file's name, an echoed text. */
function outputOf(commands: readonly ShellCommand[]): string {
  const names = commands.map(commandName)
  if (names.some((name) => downloaders.has(name))) return DOWNLOADED
  if (names.length === 1 && (names[0] === 'mktemp' || names[0] === 'tempfile')) return TEMPORARY
  const [only, ...others] = commands
  if (only !== undefined && others.length === 0) return echoed(only) ?? UNKNOWN
  return UNKNOWN
}

const commandName = ({ words }: ShellCommand): string =>
  (literal(words[0]) ?? '').replace(/^.*\//, '').toLowerCase()

export const isDownload = (command: ShellCommand): boolean => downloaders.has(commandName(command))

/** The text that `echo` or `printf` writes, when all of it stands there. */
export function echoed(command: ShellCommand): string | null {
  const name = commandName(command)
  if (name !== 'echo' && name !== 'printf') return null
  const words = command.words.slice(1).map(literal)
  if (words.some((word) => word === null)) return null
  const given = words.filter(
    (word) => word !== null && !(name === 'echo' && /^-[neE]+$/.test(word)),
  )
  if (name === 'printf' && given[0]?.includes('%s')) {
    return given[0].replace('%s', () => given.slice(1).join(' ')).replaceAll('\\n', '\n')
  }
  return given.join(' ').replaceAll('\\n', '\n')
}
