import { looksLikePath } from '../../../text/paths/looks-like-path.ts'
import type { BlockPart } from '../part.ts'
import { type Fields, fieldText, isObject, jsonFieldsOf, valuesOf } from './json-fields.ts'
import { editsOf, readFile, refusedFile, whole } from './json-file.ts'
import { parseMended } from './mend-json.ts'

/** Deeper values are no answer of ours. */
const deepest = 8

/**
 * What a JSON answer asks for: `{path, content}`, lists and maps of such, edits, diffs, deletions,
 * renames and calls of file tools; `null` when the value is something else.
 */
export function readJson(value: unknown): readonly BlockPart[] | null {
  const parts = readValue(value, 0)
  return parts.length > 0 ? parts : null
}

function readValue(value: unknown, depth: number): readonly BlockPart[] {
  if (depth > deepest || !isObject(value)) return []
  if (Array.isArray(value)) return value.flatMap((item) => readValue(item, depth + 1))
  const fields = jsonFieldsOf(value)
  const own = readCall(fields, depth) ?? readFile(fields, null)
  if (own !== null) return own
  const map = readMap(value)
  if (map !== null) return map
  for (const inner of valuesOf(fields, 'list')) {
    const parts = readValue(inner, depth + 1)
    if (parts.length > 0) return parts
  }
  return []
}

/** `{"src/a.js": "text"}`: every key is a path. */
function readMap(value: object): readonly BlockPart[] | null {
  const entries = Object.entries(value)
  const isMap = entries.every(
    ([key, inner]) =>
      looksLikePath(key, 'marked') && (typeof inner === 'string' || typeof inner === 'object'),
  )
  if (entries.length === 0 || !isMap) return null
  return entries.flatMap(([path, inner]): readonly BlockPart[] => {
    if (inner === null) return [{ kind: 'delete', path }]
    if (typeof inner === 'string') return [whole(path, inner)]
    return Array.isArray(inner) ? editsOf(path, inner) : (readFile(jsonFieldsOf(inner), path) ?? [])
  })
}

/** A call of a tool: its name says what to do, its arguments are fields, or JSON once more. */
function readCall(fields: Fields, depth: number): readonly BlockPart[] | null {
  const inner = fields.get('function')
  const call = isObject(inner) ? jsonFieldsOf(inner) : fields
  const name = typeof inner === 'string' ? inner : fieldText(call, 'tool')
  const [given] = valuesOf(call, 'arguments')
  if (name === undefined || given === undefined || depth >= deepest) return null
  const value = typeof given === 'string' ? parseMended(given) : given
  if (!isObject(value)) {
    if (typeof given === 'string' && /patch|diff/i.test(name)) {
      return readFile(new Map([['diff', given]]), null)
    }
    const reason = `the arguments of ${name.slice(0, 60)} are no JSON object; send the file in a code fence`
    return [refusedFile('', reason, String(given))]
  }
  if (Array.isArray(value)) return readValue(value, depth + 1)
  const arguments_ = jsonFieldsOf(value)
  const named = fieldText(arguments_, 'action') === undefined
  const withAction = named ? new Map([...arguments_, ['action', name]]) : arguments_
  const parts = readFile(withAction, null) ?? readValue(value, depth + 1)
  return parts.length > 0 ? parts : null
}
