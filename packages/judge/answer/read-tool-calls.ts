import { findJson, parseLeniently } from '../../source/source.ts'
import { plainAnswer } from '../../text/text.ts'
import { noPaths } from './find-path.ts'
import { searchHeadOf } from './markers.ts'
import { parseReply } from './parse-reply.ts'
import { type AnswerBlock, scanBlocks } from './scan-blocks.ts'

/** Calls taken from one answer; a model that plans further ahead guesses. */
const mostCalls = 5
const mostArguments = 10
/** In characters. */
const longestThought = 300
const longestStray = 2_000

/** A call of a tool, as the answer writes it. */
export interface WrittenCall {
  /** Empty where the answer names none. */
  readonly tool: string
  /** The arguments as JSON; for `write_diff`, the changes as the model wrote them. */
  readonly input: string
  /** The model's words before it, shortened. */
  readonly thought: string
}

/** The names of all tools. */
type Tools = readonly string[]

interface FoundCall {
  readonly tool: string
  readonly input: unknown
  readonly start: number
  readonly end: number
}

/**
 * Reads the tool calls of an answer, in order: JSON objects as endpoints and models write them (`tool`, `name` or
 * `action` with `arguments`), `Action:` lines, and tags. Files and SEARCH/REPLACE blocks in the answer are a call of
 * `write_diff`, which runs first. An answer without a call is one call without a tool, which the model learns.
 */
export function readToolCalls(answer: string, tools: Tools): readonly WrittenCall[] {
  const said = plainAnswer(answer)
  const outside = withoutFiles(said, tools)
  const found = [findJsonCalls, findActions, findTags]
    .flatMap((find) => find(outside, tools))
    .toSorted((a, b) => a.start - b.start)
    .filter((call, index, all) => index === 0 || call.start >= (all[index - 1]?.end ?? 0))
  const rest = withoutCalls(said, found)
  const reply = parseReply(rest, { expectedPath: undefined, known: new Set() })
  const thought = thoughtIn(said, found[0]?.start)
  if (found.length === 0 && reply.claimsDone) {
    return [{ tool: 'done', input: '{"nothing": true}', thought }]
  }
  const hasFiles = reply.proposals.length > 0 || rest.includes('<<<<<<< SEARCH')
  const own = hasFiles ? [{ tool: 'write_diff', input: rest.trim(), thought }] : []
  const calls = found.map(({ tool, input }) => ({ tool, input: inputOf(tool, input), thought: '' }))
  const all = [...own, ...calls].filter(isNew).slice(0, mostCalls)
  if (all.length === 0)
    return [{ tool: '', input: said.trim().slice(0, longestStray), thought: '' }]
  return all.map((call, index) => (index === 0 ? { ...call, thought } : call))
}

/** Some servers send a native call as text, too. */
const isNew = ({ tool, input }: WrittenCall, index: number, all: readonly WrittenCall[]): boolean =>
  all[index - 1]?.tool !== tool || all[index - 1]?.input !== input

/** The answer with blanks in place of its files: whatever those contain is no call. Offsets stay. */
function withoutFiles(said: string, tools: Tools): string {
  const lines = said.split('\n')
  for (const block of scanBlocks(lines, noPaths).blocks) {
    if (isFile(block, tools)) {
      for (let at = block.place[0]; at < block.place[1]; at += 1) {
        lines[at] = ' '.repeat(lines[at]?.length ?? 0)
      }
    }
  }
  return lines.join('\n')
}

/** Models also put the path that they mean above a call, so a fence with nothing but a call is one. */
function isFile({ lines, path, isDiff }: AnswerBlock, tools: Tools): boolean {
  if (isDiff || lines.some((line) => searchHeadOf(line) !== null)) return true
  if (path === null) return false
  const text = lines.join('\n').trim()
  const isCall = /^\{\s*"tool"\s*:/.test(text) && callsIn(parseLeniently(text), tools).length > 0
  return !isCall || /\.json\w?$/.test(path)
}

/** The text of a change, wherever the arguments hold it; other arguments as JSON. */
function inputOf(tool: string, input: unknown): string {
  if (typeof input === 'string') return input
  if (tool === 'write_diff') {
    const { change, changes, diff, patch, text } = { ...Object(input) } as Record<string, unknown>
    const given = [change, changes, diff, patch, text].find((each) => typeof each === 'string')
    if (typeof given === 'string') return given
  }
  return JSON.stringify(input ?? {})
}

function thoughtIn(said: string, end: number | undefined): string {
  const words = said.slice(0, end).split(/^```|^<<<<<<<|^\S+\.\w{1,8}$/m, 1)[0] ?? ''
  const plain = words.replaceAll(/<\/?\w+>|^Thought:/gm, ' ')
  return plain.replaceAll(/\s+/g, ' ').trim().slice(0, longestThought)
}

/** The answer without its calls, and without the fences that held nothing else. */
function withoutCalls(said: string, calls: readonly FoundCall[]): string {
  let rest = ''
  let from = 0
  for (const { start, end } of calls) {
    rest += said.slice(from, start)
    from = end
  }
  return (rest + said.slice(from)).replaceAll(/^[ \t]*```\w*[ \t]*\n\s*```[ \t]*$/gm, '')
}

/** Names that models use for the same tools. */
const otherNames: Readonly<Record<string, string>> = {
  read: 'read_file',
  open_file: 'read_file',
  view_file: 'read_file',
  cat: 'read_file',
  list: 'list_files',
  ls: 'list_files',
  list_dir: 'list_files',
  list_directory: 'list_files',
  find: 'search',
  search_code: 'grep',
  search_files: 'grep',
  write: 'write_diff',
  write_file: 'write_diff',
  edit_file: 'write_diff',
  apply_diff: 'write_diff',
  apply_patch: 'write_diff',
  create_file: 'write_diff',
  test: 'run_tests',
  run_test: 'run_tests',
  lint: 'static_analyze',
  finish: 'done',
  submit: 'done',
}

function nameOf(value: unknown, tools: Tools): string | null {
  if (typeof value !== 'string' || value.length > 60) return null
  const plain = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  return tools.includes(plain)
    ? plain
    : Object.hasOwn(otherNames, plain)
      ? (otherNames[plain] ?? null)
      : null
}

const findJsonCalls = (said: string, tools: Tools): readonly FoundCall[] =>
  findJson(said).flatMap(({ start, end }) => {
    if (end === null) return []
    const calls = callsIn(parseLeniently(said.slice(start, end)), tools)
    return calls.map((call) => ({ ...call, start, end }))
  })

type Call = Pick<FoundCall, 'tool' | 'input'>

function callsIn(value: unknown, tools: Tools, depth = 0): readonly Call[] {
  if (depth > 3 || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each: unknown) => callsIn(each, tools, depth + 1))
  const fields: Readonly<Record<string, unknown>> = { ...value }
  const inside = fields.tool_calls ?? fields.function ?? fields.tool_call ?? fields.function_call
  if (typeof inside === 'object') return callsIn(inside, tools, depth + 1)
  const given = ['arguments', 'args', 'parameters', 'input', 'action_input', 'params'].find(
    (name) => Object.hasOwn(fields, name),
  )
  const named = nameOf(fields.tool ?? fields.tool_name ?? fields.action, tools)
  // A file may have a name, too: only beside arguments does it name a tool.
  const tool = named ?? (given === undefined ? null : nameOf(fields.name ?? fields.function, tools))
  if (tool !== null)
    return [{ tool, input: given === undefined ? otherThan(fields) : read(fields[given]) }]
  const stranger = fields.tool ?? (given === undefined ? undefined : fields.name)
  if (typeof stranger !== 'string' || Object.hasOwn(fields, 'path')) return []
  return [{ tool: stranger.slice(0, 60), input: given === undefined ? {} : read(fields[given]) }]
}

const otherThan = (fields: Readonly<Record<string, unknown>>): unknown =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => !['tool', 'tool_name', 'action', 'thought'].includes(name),
    ),
  )

/** Some endpoints write arguments as JSON in a string. */
function read(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const inner = parseLeniently(value)
  return typeof inner === 'object' && inner !== null ? inner : value
}

/** `Action: grep` with `Action Input: {…}` on the next line, as ReAct writes calls. */
function findActions(said: string, tools: Tools): readonly FoundCall[] {
  const actions = /^Action:[ \t]*([\w-]{1,60})[ \t]*\n+Action Input:[ \t]*(.{0,2000})$/gim
  return [...said.matchAll(actions)].flatMap(({ index, 0: whole, 1: name, 2: input = '' }) => {
    const tool = nameOf(name, tools)
    return tool === null
      ? []
      : [{ tool, input: read(input), start: index, end: index + whole.length }]
  })
}

/** `<read_file><path>src/a.ts</path></read_file>`. */
const findTags = (said: string, tools: Tools): readonly FoundCall[] =>
  tools.flatMap((tool) =>
    elementsOf(tool, said).map(({ inner, start, end }) => {
      const names = new Set([...inner.matchAll(/<(\w{1,30})>/g)].map(([, name = '']) => name))
      const given = [...names]
        .slice(0, mostArguments)
        .flatMap((name) =>
          elementsOf(name, inner).map((part) => [name, part.inner.trim()] as const),
        )
      return {
        tool,
        input: given.length > 0 ? Object.fromEntries(given) : read(inner.trim()),
        start,
        end,
      }
    }),
  )

/** The elements of this name, one after the other; one that stays open ends the search. */
function elementsOf(name: string, text: string) {
  const found: { readonly inner: string; readonly start: number; readonly end: number }[] = []
  const [open, close] = [`<${name}>`, `</${name}>`]
  for (let start = text.indexOf(open); start >= 0 && found.length < mostCalls; ) {
    const to = text.indexOf(close, start)
    if (to < 0) break
    const end = to + close.length
    found.push({ inner: text.slice(start + open.length, to), start, end })
    start = text.indexOf(open, end)
  }
  return found
}
