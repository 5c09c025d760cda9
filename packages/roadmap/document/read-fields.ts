import type { ListItem, Paragraph } from './list-item.ts'

export type FieldName =
  | 'files'
  | 'depends'
  | 'prerequisite'
  | 'accept'
  | 'verify'
  | 'budget'
  | 'model'
  | 'priority'
  | 'together'
  | 'group'
  | 'owner'

/** One line of metadata, `**Files**: …`, with its continuation lines. */
export interface Field {
  readonly name: FieldName
  readonly value: string
  readonly line: number
  readonly column: number
}

// Singular and plural, and the common synonyms.
const names: readonly [FieldName, RegExp][] = [
  ['files', /^(?:(?:target|affected|new|file) )?(?:files?|paths?)(?: to \w+(?: or \w+)?)?$/],
  ['depends', /^(?:depends?(?: (?:up)?on)?|depend(?:ing|ent) on|blocked by)$/],
  ['prerequisite', /^(?:prerequisites?|pre-requisites?|dependency|dependencies|requires?)$/],
  ['accept', /^(?:accepts?|accept(?:ance)? (?:tests?|commands?|checks?))$/],
  ['verify', /^(?:verify|verif(?:y|ication) (?:with|commands?)|test commands?)$/],
  ['budget', /^budgets?$/],
  ['model', /^models?$/],
  ['priority', /^priorit(?:y|ies)$/],
  ['together', /^together(?: with)?$/],
  ['group', /^group$/],
  ['owner', /^(?:owner|assignee)s?$/],
]

const boldLabel =
  /^[^\p{L}\p{N}*_`<]*(?:\*\*|__)([\p{L} -]{2,40}?)\s*(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：])\s*(.*)$/u
const plainLabel = /^[^\p{L}\p{N}*_`<]*[*_]?([\p{L} -]{2,40}?)[*_]?\s*[:：]\s*(.*)$/u

/** Reads the field on a line; `null` for ordinary text. */
export function readLabel(line: string): { name: FieldName; value: string } | null {
  const match = boldLabel.exec(line) ?? plainLabel.exec(line)
  if (!match) return null
  const label = (match[1] ?? '').trim().toLowerCase().replace(/\s+/g, ' ')
  const name = names.find(([, pattern]) => pattern.test(label))?.[0]
  return name === undefined ? null : { name, value: match[2] ?? '' }
}

const fence = /^\s*(?:`{3,}|~{3,})/

/** The lines of a text that are neither code nor metadata. */
export function proseLines(text: string): readonly string[] {
  let isCode = false
  return text.split('\n').filter((line) => {
    const isFence = fence.test(line)
    if (isFence) isCode = !isCode
    return !isFence && !isCode && readLabel(line) === null
  })
}

/** True for a field whose next line opens a block of code. */
export function isAboveCode(name: FieldName, text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.some(
    (line, index) => readLabel(line)?.name === name && fence.test(lines[index + 1] ?? ''),
  )
}

/** The fields of a task: those of its own text from line `skip` on, and those of everything nested. */
export function readItemFields(item: ListItem, skip: number): readonly Field[] {
  const own = { line: item.textLine + skip, column: item.column, text: item.text.slice(skip) }
  const fields = [own, ...item.paragraphs].flatMap(readParagraphFields)
  const open = fields.at(-1)
  if (open && goesOn(open.value)) {
    const below = item.items.filter((child) => child.box === null && !isLabelled(child))
    const value = [open.value, ...below.flatMap((child) => child.text)].join('\n')
    fields[fields.length - 1] = { ...open, value }
  }
  return [...fields, ...item.items.flatMap((child) => readItemFields(child, 0))]
}

const isLabelled = (item: ListItem): boolean => readLabel(item.text[0] ?? '') !== null

/** The fields of a paragraph; a line without a label continues the field above it. */
export function readParagraphFields(paragraph: Paragraph): Field[] {
  const fields: Field[] = []
  for (const [index, line] of paragraph.text.entries()) {
    for (const part of splitAtLabels(line)) {
      const label = readLabel(part)
      const above = fields.at(-1)
      if (label) fields.push({ ...label, line: paragraph.line + index, column: paragraph.column })
      else if (above && goesOn(above.value))
        fields[fields.length - 1] = { ...above, value: `${above.value}\n${part}` }
    }
  }
  return fields
}

const anyBoldLabel = /(?:\*\*|__)[\p{L} -]{2,40}(?::(?:\*\*|__)|(?:\*\*|__)\s*:)/gu

// `**Priority**: high | **Effort**: 2 days` has two labels on one line.
function splitAtLabels(line: string): string[] {
  if (!boldLabel.test(line)) return [line]
  const later = [...line.matchAll(anyBoldLabel)].map(({ index }) => index).slice(1)
  return [0, ...later].map((start, place) => withoutSeparator(line.slice(start, later[place])))
}

function withoutSeparator(part: string): string {
  const text = part.trim()
  return /[|·;]$/.test(text) ? text.slice(0, -1).trimEnd() : text
}

/** Returns true for a value that continues on the next lines. */
export const goesOn = (value: string): boolean =>
  value.trim() === '' || value.trimEnd().endsWith(',')
