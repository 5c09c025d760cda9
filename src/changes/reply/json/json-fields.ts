/** An object's fields, by names without case, `_`, `-` and spaces. */
export type Fields = ReadonlyMap<string, unknown>

export function jsonFieldsOf(value: object): Fields {
  return new Map(
    Object.entries(value).map(([name, inner]) => [
      name.toLowerCase().replace(/[_\s-]/g, ''),
      inner,
    ]),
  )
}

/** The names that models give to one thing. */
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

export type FieldMeaning = keyof typeof names

const lists = new Map(
  Object.entries(names).map(([meaning, words]) => [meaning, words.split(' ')] as const),
)

/** The values of the fields that have this meaning, the usual name first. */
export function valuesOf(fields: Fields, meaning: FieldMeaning): readonly unknown[] {
  return (lists.get(meaning) ?? []).flatMap((name) => (fields.has(name) ? [fields.get(name)] : []))
}

export function fieldText(fields: Fields, meaning: FieldMeaning): string | undefined {
  return valuesOf(fields, meaning).find((value) => typeof value === 'string')
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
