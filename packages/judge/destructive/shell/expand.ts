import {
  type Assignment,
  type CommandArgument,
  forEachChild,
  type ParameterExpansionPart,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash'
import { DOWNLOADED, TEMPORARY, UNKNOWN } from '../finding.ts'
import { commandWords } from './read-commands.ts'

/** The values of variables at the current point of a script; a missing one is unknown. */
export type Variables = Map<string, readonly string[]>

type Words = readonly CommandArgument[]

/** Longer values are no commands that a person wrote. */
const MAX_VALUE = 20_000
const downloaders = new Set(['curl', 'wget', 'fetch', 'http', 'aria2c', 'iwr', 'invoke-webrequest'])

/** Expands words to arguments, with unknown parts marked. */
export const expandAll = (words: Words, variables: Variables): readonly string[] =>
  words.flatMap((word) => expand(word, variables))

function expand(word: CommandArgument, variables: Variables): readonly string[] {
  if (word.type === 'Assignment') return [expandWhole(word, variables)]
  const all = everyElement(word.parts ?? [])
  if (all !== null) return variables.get(all) ?? [UNKNOWN]
  const fields: string[] = []
  let field: string | null = null
  for (const part of word.parts ?? [word]) {
    const text = textOf(part, variables)
    if (!isVariable(part) || text === UNKNOWN) {
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

/** Expands a word to one text, as an assignment or a here-string does. */
export function expandWhole(word: CommandArgument, variables: Variables): string {
  if (word.type === 'Word') return textOf(word, variables).slice(0, MAX_VALUE)
  return `${word.name}=${valuesOf(word, variables).join(' ')}`
}

export const assign = (assignment: Assignment, variables: Variables): void => {
  variables.set(assignment.name, valuesOf(assignment, variables).slice(0, 1000))
}

const valuesOf = ({ value }: Assignment, variables: Variables): readonly string[] =>
  value.type === 'Word'
    ? [expandWhole(value, variables)]
    : value.elements.flatMap((element) => expand(element, variables))

/** The list in `"${name[@]}"`: each of its elements is an argument. */
function everyElement([part, ...others]: readonly WordPart[]): string | null {
  if (part === undefined || others.length > 0) return null
  if (part.type === 'DoubleQuoted') return everyElement(part.parts)
  return part.type === 'ParameterExpansion' && part.index !== undefined ? nameOf(part) : null
}

const isVariable = ({ type }: Word | WordPart): boolean =>
  type === 'SimpleExpansion' || type === 'ParameterExpansion'

/** The name in `${name}` or `${name[@]}`; `null` for an expansion that changes the value. */
const nameOf = ({ parameter, prefix, index, operation }: ParameterExpansionPart): string | null =>
  prefix === undefined && operation === undefined && /^[@*]?$/.test(index?.value ?? '')
    ? parameter
    : null

function textOf(part: Word | WordPart, variables: Variables): string {
  switch (part.type) {
    case 'Word':
      return part.parts === undefined ? part.value : joined(part.parts)
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Glob':
      return part.value
    case 'DoubleQuoted':
    case 'LocaleString':
      return joined(part.parts)
    case 'BraceExpansion':
      return part.parts === undefined ? part.text : `{${joined(part.parts)}}`
    case 'SimpleExpansion':
      return variables.get(part.text.slice(1))?.join(' ') ?? UNKNOWN
    case 'ParameterExpansion': {
      const name = nameOf(part)
      if (name === null) return UNKNOWN + outputsIn(part)
      return variables.get(name)?.join(' ') ?? UNKNOWN
    }
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return outputOf(commandsIn(part))
    default:
      return UNKNOWN
  }

  function joined(parts: readonly WordPart[]): string {
    return parts.map((each) => textOf(each, variables)).join('')
  }
}

function outputsIn(node: SyntaxNode): string {
  if (node.type === 'CommandExpansion') return outputOf(commandsIn(node))
  let text = ''
  forEachChild(node, (child) => {
    text += outputsIn(child)
  })
  return text
}

/** The commands of a substitution itself, without those inside their words. */
function commandsIn(node: SyntaxNode): readonly Words[] {
  if (node.type === 'Command') return [commandWords(node)]
  if (node.type === 'Word') return []
  const commands: Words[] = []
  forEachChild(node, (child) => {
    commands.push(...commandsIn(child))
  })
  return commands
}

/** The output of commands that matters: a download, a temporary file's name, an echoed text. */
function outputOf(commands: readonly Words[]): string {
  const [only, ...others] = commands
  if (commands.some(isDownload)) return DOWNLOADED
  if (only === undefined || others.length > 0) return UNKNOWN
  if (/^(?:mktemp|tempfile)$/.test(nameOfProgram(only))) return TEMPORARY
  return echoed(only) ?? UNKNOWN
}

const nameOfProgram = ([program]: Words): string =>
  (program?.type === 'Word' ? program.value : '').replace(/^.*\//, '').toLowerCase()

export const isDownload = (words: Words): boolean => downloaders.has(nameOfProgram(words))

/** The text that `echo` or `printf` writes, when all of it is literal. */
export function echoed(words: Words): string | null {
  const name = nameOfProgram(words)
  if (name !== 'echo' && name !== 'printf') return null
  const texts = words.slice(1).map(literalOf)
  if (texts.includes(null)) return null
  const given = texts
    .filter((text) => text !== null)
    .filter((text) => !(name === 'echo' && /^-[neE]+$/.test(text)))
  if (name === 'printf' && given[0]?.includes('%s')) {
    return given[0].replace('%s', () => given.slice(1).join(' ')).replaceAll('\\n', '\n')
  }
  return given.join(' ').replaceAll('\\n', '\n')
}

/** The text of a literal word; `null` for any other. */
export const literalOf = (word: CommandArgument): string | null =>
  isLiteral(word) ? expandWhole(word, new Map()) : null

function isLiteral(node: SyntaxNode): boolean {
  if (/^(?!Brace).*(?:Expansion|Substitution)$|^ExtendedGlob$/.test(node.type)) return false
  let literal = true
  forEachChild(node, (child) => {
    literal &&= isLiteral(child)
  })
  return literal
}
