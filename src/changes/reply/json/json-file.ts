import { looksLikePath } from '../../../text/paths/looks-like-path.ts'
import { readDiff } from '../diff/read-diff.ts'
import { shorten } from '../excerpt.ts'
import type { BlockPart } from '../part.ts'
import { wholeProposal } from '../whole-proposal.ts'
import { type Fields, fieldText, isObject, jsonFieldsOf, valuesOf } from './json-fields.ts'
import { unescapeTwice } from './unescape-twice.ts'

/**
 * What the fields of one JSON object want done to a file; `null` when they are not about one.
 *
 * @param known the path, where it stands outside the object
 */
export function readFile(fields: Fields, known: string | null): readonly BlockPart[] | null {
  const action = fieldText(fields, 'action')?.toLowerCase() ?? ''
  const isMove = /renam|move/.test(action) && !/remove/.test(action)
  const source = isMove ? fieldText(fields, 'from') : undefined
  const path = known ?? source ?? fieldText(fields, 'path')
  if (path === undefined) return readPatch(fields)
  if (known === null && !looksLikePath(path, 'labelled')) return null
  const isGone = fields.get('delete') === true || fields.get('deleted') === true
  if (isGone || /delete|remove|unlink/.test(action)) return [{ kind: 'delete', path }]
  const to = moveTarget(fields, isMove, source)
  const moved: readonly BlockPart[] =
    to === undefined || to === path ? [] : [{ kind: 'rename', path, to }]
  const changed = readChange(fields, to ?? path)
  if (changed !== null || moved.length > 0) return [...moved, ...(changed ?? [])]
  const reason =
    'the JSON does not say what the file is to become; give "content", or "edits" with "search" and "replace"'
  return [refusedFile(path, reason, [...fields.keys()].join(', '))]
}

/** Other words than these may mean anything unless the action is a move. */
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

function readChange(fields: Fields, path: string): readonly BlockPart[] | null {
  const [search, replace] = [fieldText(fields, 'search'), fieldText(fields, 'replace')]
  if (search !== undefined && replace !== undefined) return editsOf(path, [{ search, replace }])
  const edits = valuesOf(fields, 'edits').find(Array.isArray)
  if (edits && edits.length > 0) return editsOf(path, edits)
  const diff = fieldText(fields, 'diff')
  if (diff !== undefined) return diffParts(diff, path)
  const [content] = valuesOf(fields, 'content')
  if (typeof content === 'string') return [whole(path, content)]
  const lines = fields.get('lines') ?? content
  if (!Array.isArray(lines) || !lines.every((line) => typeof line === 'string')) return null
  return [
    wholeProposal(
      path,
      lines.map((line) => line.replace(/\n$/, '')),
    ),
  ]
}

/** A patch that names its files itself. */
function readPatch(fields: Fields): readonly BlockPart[] | null {
  const diff = fieldText(fields, 'diff') ?? fieldText(fields, 'arguments')
  if (diff === undefined || !/^(?:--- |\*\*\* |diff --git )/m.test(diff)) return null
  return diffParts(diff, null)
}

function diffParts(diff: string, path: string | null): readonly BlockPart[] {
  // A blank line more would be one of the last hunk's.
  const lines = unescapeTwice(diff)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
  return readDiff(lines, { path, closed: true, doubtful: [] })
}

/** A list of `{search, replace}`, by whatever names. */
export function editsOf(path: string, list: readonly unknown[]): readonly BlockPart[] {
  return list.map((item): BlockPart => {
    const fields = isObject(item) ? jsonFieldsOf(item) : new Map<string, unknown>()
    const [search, replace] = [fieldText(fields, 'search'), fieldText(fields, 'replace')]
    if (search === undefined || replace === undefined) {
      const reason = 'an edit without "search" and "replace"; send both, as they are in the file'
      return refusedFile(path, reason, [...fields.keys()].join(', '))
    }
    const edit = { search: asLines(search), replace: asLines(replace) }
    const isPart = !search.includes('\n') && search.trim() !== ''
    return { kind: 'edits', path, edits: [isPart ? { ...edit, part: { search, replace } } : edit] }
  })
}

/** A whole file, without a fence that was put around it, and unescaped where that was done twice. */
export function whole(path: string, content: string): BlockPart {
  const lines = unescapeTwice(content).split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const isFenced = /^```[\w+-]*$/.test(lines[0] ?? '') && lines.length > 1 && lines.at(-1) === '```'
  const isMarkdown = /\.(?:mdx?|markdown)$/i.test(path)
  return wholeProposal(path, isFenced && !isMarkdown ? lines.slice(1, -1) : lines)
}

function asLines(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

export function refusedFile(path: string, reason: string, excerpt: string): BlockPart {
  return { kind: 'refused', refusal: { path, reason, excerpt: shorten(excerpt.split('\n')) } }
}
