import { unescapeTwice } from '../../../source/source.ts'
import { looksLikePath, parseExactly } from '../../../text/text.ts'
import { readDiff } from '../diff/read-diff.ts'
import { type BlockPart, type BlockParts, refusedPart, wholePart } from '../reply.ts'

const deepest = 8

/**
 * Reads the changes that a JSON answer requests: `{path, content}`, lists and maps of these, edits,
 * diffs, deletions, renames and calls of file tools; `null` for anything else.
 */
export function readJson(value: unknown): BlockParts | null {
  const parts = readValue(value, 0)
  return parts.length > 0 ? parts : null
}

function readValue(value: unknown, depth: number): BlockParts {
  if (depth > deepest || !isObject(value)) return []
  if (Array.isArray(value)) return value.flatMap((item) => readValue(item, depth + 1))
  const fields = jsonFieldsOf(value)
  const own = readCall(fields, depth) ?? readFile(fields, null) ?? readMap(value)
  if (own !== null) return own
  const lists = valuesOf(fields, 'list').map((inner) => readValue(inner, depth + 1))
  return lists.find((parts) => parts.length > 0) ?? []
}

/** `{"src/a.js": "text"}`: every key is a path. */
function readMap(value: object): BlockParts | null {
  const entries = Object.entries(value)
  const isMap = entries.every(
    ([key, inner]) =>
      looksLikePath(key, 'marked') && (typeof inner === 'string' || typeof inner === 'object'),
  )
  if (entries.length === 0 || !isMap) return null
  return entries.flatMap(([path, inner]): BlockParts => {
    if (inner === null) return [{ kind: 'delete', path }]
    if (typeof inner === 'string') return [wholeText(path, inner)]
    return Array.isArray(inner) ? editsOf(path, inner) : (readFile(jsonFieldsOf(inner), path) ?? [])
  })
}

/** Reads a tool's call: its name says what to do, its arguments are fields, or JSON again. */
function readCall(fields: Fields, depth: number): BlockParts | null {
  const inner = fields.get('function')
  const call = isObject(inner) ? jsonFieldsOf(inner) : fields
  const name = typeof inner === 'string' ? inner : fieldText(call, 'tool')
  const [given] = valuesOf(call, 'arguments')
  if (name === undefined || given === undefined || depth >= deepest) return null
  const value = typeof given === 'string' ? parseExactly(given) : given
  if (!isObject(value)) {
    if (typeof given === 'string' && /patch|diff/i.test(name)) {
      return readFile(new Map([['diff', given]]), null)
    }
    const reason = `the arguments of ${name.slice(0, 60)} are no JSON object; send the file in a code fence`
    return [refusedPart('', reason, String(given).split('\n'))]
  }
  if (Array.isArray(value)) return readValue(value, depth + 1)
  const details = jsonFieldsOf(value)
  const hasAction = fieldText(details, 'action') !== undefined
  const parts =
    readFile(hasAction ? details : new Map([...details, ['action', name]]), null) ??
    readValue(value, depth + 1)
  return parts.length > 0 ? parts : null
}

/**
 * Reads the change of a file that a JSON object's fields request; `null` when they request none.
 *
 * @param known the path, if it is outside the object
 */
function readFile(fields: Fields, known: string | null): BlockParts | null {
  const action = fieldText(fields, 'action')?.toLowerCase() ?? ''
  const isMove = /renam|move/.test(action) && !/remove/.test(action)
  const source = isMove ? fieldText(fields, 'from') : undefined
  const path = known ?? source ?? fieldText(fields, 'path')
  if (path === undefined) return readPatch(fields)
  if (known === null && !looksLikePath(path, 'labelled')) return null
  const isGone = fields.get('delete') === true || fields.get('deleted') === true
  if (isGone || /delete|remove|unlink/.test(action)) return [{ kind: 'delete', path }]
  const to = moveTarget(fields, isMove, source)
  const moved: BlockParts = to === undefined || to === path ? [] : [{ kind: 'rename', path, to }]
  const changed = readChange(fields, to ?? path)
  if (changed !== null || moved.length > 0) return [...moved, ...(changed ?? [])]
  const reason =
    'the JSON does not say what the file is to become; give "content", or "edits" with "search" and "replace"'
  return [refusedPart(path, reason, [[...fields.keys()].join(', ')])]
}

/** Other names for the target are ambiguous unless the action is a move. */
function moveTarget(
  fields: Fields,
  isMove: boolean,
  source: string | undefined,
): string | undefined {
  const certain = ['renameto', 'moveto', 'newpath'].map((name) => fields.get(name))
  const named = certain.find((value) => typeof value === 'string')
  if (named !== undefined || !isMove) return named
  return fieldText(fields, 'to') ?? (source === undefined ? undefined : fieldText(fields, 'path'))
}

function readChange(fields: Fields, path: string): BlockParts | null {
  const [search, replace] = [fieldText(fields, 'search'), fieldText(fields, 'replace')]
  if (search !== undefined && replace !== undefined) return editsOf(path, [{ search, replace }])
  const edits = valuesOf(fields, 'edits').find(Array.isArray)
  if (edits && edits.length > 0) return editsOf(path, edits)
  const diff = fieldText(fields, 'diff')
  if (diff !== undefined) return diffParts(diff, path)
  const [content] = valuesOf(fields, 'content')
  if (typeof content === 'string') return [wholeText(path, content)]
  const lines = fields.get('lines') ?? content
  const isList = Array.isArray(lines) && lines.every((line) => typeof line === 'string')
  return isList
    ? [
        wholePart(
          path,
          lines.map((line) => line.replace(/\n$/, '')),
        ),
      ]
    : null
}

/** Reads a patch that names its own files. */
function readPatch(fields: Fields): BlockParts | null {
  const diff = fieldText(fields, 'diff') ?? fieldText(fields, 'arguments')
  if (diff === undefined || !/^(?:--- |\*\*\* |diff --git )/m.test(diff)) return null
  return diffParts(diff, null)
}

function diffParts(diff: string, path: string | null): BlockParts {
  // Another blank line would belong to the last hunk.
  const lines = unescapeTwice(diff)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
  return readDiff(lines, { path, closed: true, doubtful: [] })
}

/** Reads a list of `{search, replace}`, under whatever names. */
function editsOf(path: string, list: readonly unknown[]): BlockParts {
  return list.map((item): BlockPart => {
    const fields = isObject(item) ? jsonFieldsOf(item) : new Map<string, unknown>()
    const [search, replace] = [fieldText(fields, 'search'), fieldText(fields, 'replace')]
    if (search === undefined || replace === undefined) {
      const reason = 'an edit without "search" and "replace"; send both, as they are in the file'
      return refusedPart(path, reason, [[...fields.keys()].join(', ')])
    }
    const edit = { search: asLines(search), replace: asLines(replace) }
    const isPart = !search.includes('\n') && search.trim() !== ''
    return { kind: 'edits', path, edits: [isPart ? { ...edit, part: { search, replace } } : edit] }
  })
}

/** Reads a whole file, without a fence around it, and unescaped if it was escaped twice. */
function wholeText(path: string, content: string): BlockPart {
  const lines = unescapeTwice(content).split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const isFenced = /^```[\w+-]*$/.test(lines[0] ?? '') && lines.length > 1 && lines.at(-1) === '```'
  const isMarkdown = /\.(?:mdx?|markdown)$/i.test(path)
  return wholePart(path, isFenced && !isMarkdown ? lines.slice(1, -1) : lines)
}

const asLines = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** An object's fields by name, without case, `_`, `-` and spaces. */
type Fields = ReadonlyMap<string, unknown>

const jsonFieldsOf = (value: object): Fields =>
  new Map(
    Object.entries(value).map(([name, inner]) => [
      name.toLowerCase().replace(/[_\s-]/g, ''),
      inner,
    ]),
  )

/** The names that models use for one thing. */
const names = {
  path: 'path filepath file filename targetfile targetpath relativepath',
  content: 'content contents filetext filecontent newcontent code text body',
  search: 'search oldstr oldstring oldtext oldcode old find before original',
  replace:
    'replace newstr newstring newtext newcode new replacement replacewith after updated insert',
  edits: 'edits changes replacements hunks blocks',
  diff: 'diff patch unifieddiff',
  to: 'to newpath renameto moveto destination target newname topath newfilepath',
  from: 'from oldpath renamefrom source oldname frompath oldfilepath',
  action: 'action operation op kind type mode command changetype',
  tool: 'name tool toolname',
  arguments: 'arguments args input parameters params',
  list: 'files file edits changes operations actions filechanges modifications updates toolcalls calls choices message result output answer response',
} as const

type FieldMeaning = keyof typeof names

const lists = new Map(
  Object.entries(names).map(([meaning, words]) => [meaning, words.split(' ')] as const),
)

/** The values of the fields with this meaning, the usual name first. */
const valuesOf = (fields: Fields, meaning: FieldMeaning): readonly unknown[] =>
  (lists.get(meaning) ?? []).flatMap((name) => (fields.has(name) ? [fields.get(name)] : []))

const fieldText = (fields: Fields, meaning: FieldMeaning): string | undefined =>
  valuesOf(fields, meaning).find((value) => typeof value === 'string')

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
