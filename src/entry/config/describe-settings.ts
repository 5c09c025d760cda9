import { z } from 'zod'
import { fileSchema } from '../../core/domain/settings.ts'
import { options } from './options.ts'

/** The parts of a JSON Schema node that are used here. */
interface SchemaNode {
  readonly [keyword: string]: unknown
  readonly properties?: Readonly<Record<string, SchemaNode>>
}

export function describeFile(): SchemaNode {
  const schema = z.toJSONSchema(fileSchema, { io: 'input', target: 'draft-7' })
  return {
    ...withDescriptions(schema as SchemaNode, ''),
    $id: 'executor.schema.json',
    title: 'Settings of roadmap-executor',
  }
}

function withDescriptions(node: SchemaNode, prefix: string): SchemaNode {
  if (node.properties === undefined) return node
  const properties = Object.entries(node.properties).map(([name, inner]) => {
    const key = `${prefix}${name}`
    const description = options.find((option) => option.key === key)?.description
    const described = withDescriptions(inner, `${key}.`)
    return [name, description === undefined ? described : { description, ...described }]
  })
  return { ...node, properties: Object.fromEntries(properties) }
}

/** The default of a key, as in the file; `null` without one. */
export const defaultOf = (key: string): unknown => valuesOf({})(key)

/** Each key's given or default value, as in the file; `null` without one. */
export function valuesOf(given: Readonly<Record<string, unknown>>): (key: string) => unknown {
  const values = fileSchema.parse(given)
  return (key) =>
    key
      .split('.')
      .reduce<unknown>((inner, part) => (inner as Readonly<Record<string, unknown>>)[part], values)
}
