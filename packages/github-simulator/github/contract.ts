import { readFile } from 'node:fs/promises'
import { Ajv, type ValidateFunction } from 'ajv'
import formatsPlugin from 'ajv-formats'

/**
 * Validates requests and responses against GitHub's official OpenAPI description (octokit/openapi,
 * reduced to the known operations). A schema is compiled on the first use of its operation.
 */
export interface Contract {
  /** Returns the problem with a request, or `null`. Path and query values are raw strings. */
  checkRequest(operation: OperationId, request: RequestParts): string | null
  checkResponse(operation: OperationId, status: number, body: unknown): string | null
}

export interface OperationId {
  readonly method: string
  /** The path template, `/repos/{owner}/{repo}/pulls`. */
  readonly path: string
}

export interface RequestParts {
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: object
}

interface Operation {
  readonly parameters?: readonly object[]
  readonly requestBody?: { readonly required?: boolean; readonly content: object }
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: object }>
  >
}

interface Description {
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties?: Record<string, { nullable?: boolean }> }>
    >
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export function loadContract(): Promise<Contract> {
  loaded ??= readContract()
  return loaded
}

/** Shared by all servers of a process, with its compiled schemas. */
let loaded: Promise<Contract> | undefined

async function readContract(): Promise<Contract> {
  // Read, not imported: it is a file next to the bundle.
  const text = await readFile(new URL('./contract.json', import.meta.url), 'utf8')
  const description = withNullAsType(asAnswered(JSON.parse(text))) as Description
  const ajv = new Ajv({ strict: false, coerceTypes: false, logger: false })
  const coercing = new Ajv({ strict: false, coerceTypes: true, logger: false })
  for (const each of [ajv, coercing]) {
    formatsPlugin.default(each)
    each.addSchema(description, 'github')
  }
  const compiled = new Map<string, ValidateFunction>()

  const validator = (engine: Ajv, pointer: readonly string[]): ValidateFunction => {
    const fragment = pointer.map(escapePointer).join('/')
    let validate = compiled.get(fragment)
    if (validate === undefined) {
      validate = engine.compile({ $ref: `github#/${fragment}` })
      compiled.set(fragment, validate)
    }
    return validate
  }
  const problemOf = (engine: Ajv, pointer: readonly string[], value: unknown): string | null => {
    const validate = validator(engine, pointer)
    return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: 'it' })
  }
  const find = ({ method, path }: OperationId): Operation | undefined =>
    description.paths[path]?.[method.toLowerCase()]

  return {
    checkRequest(id, request) {
      const operation = find(id)
      if (operation === undefined) return `no operation ${id.method} ${id.path}`
      const at = ['paths', id.path, id.method.toLowerCase()]
      for (const [index, reference] of (operation.parameters ?? []).entries()) {
        const { pointer, value } = resolve(description, reference, [
          ...at,
          'parameters',
          `${index}`,
        ])
        const parameter = value as Parameter
        const given = (parameter.in === 'path' ? request.parameters : request.query)[parameter.name]
        if (given === undefined) continue
        const problem = problemOf(coercing, [...pointer, 'schema'], given)
        if (problem !== null) return `${parameter.in} parameter ${parameter.name}: ${problem}`
      }
      const { requestBody } = operation
      if (requestBody === undefined || (request.body === undefined && !requestBody.required))
        return null
      const type = jsonType(requestBody.content)
      if (type === undefined) return null
      return problemOf(ajv, [...at, 'requestBody', 'content', type, 'schema'], request.body ?? null)
    },
    checkResponse(id, status, body) {
      const reference = find(id)?.responses[status]
      if (reference === undefined) {
        return status < 400 ? `status ${status} is not one of ${id.method} ${id.path}` : null
      }
      const at = ['paths', id.path, id.method.toLowerCase(), 'responses', `${status}`]
      const { pointer, value } = resolve(description, reference, at)
      const content = (value as { content?: object }).content
      const type = content === undefined ? undefined : jsonType(content)
      if (type === undefined) {
        return body === undefined || status >= 400 ? null : `status ${status} has no body`
      }
      return problemOf(ajv, [...pointer, 'content', type, 'schema'], body)
    },
  }
}

/** Known differences from GitHub's description: an outdated comment has no line and no position. */
function asAnswered(description: Description): Description {
  const { properties = {} } = description.components.schemas['pull-request-review-comment'] ?? {}
  for (const name of ['line', 'position', 'original_position']) {
    const property = properties[name]
    if (property !== undefined) property.nullable = true
  }
  return description
}

/** OpenAPI 3.0 uses `nullable: true` where JSON Schema has a type `null`. */
function withNullAsType(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNullAsType)
  if (typeof node !== 'object' || node === null) return node
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) copy[key] = withNullAsType(value)
  // An account is a user or an enterprise; one place says it is both.
  if (isAccount(copy.allOf)) {
    copy.anyOf = copy.allOf
    delete copy.allOf
  }
  if (copy.nullable !== true) return copy
  delete copy.nullable
  return { anyOf: [copy, { type: 'null' }] }
}

const isAccount = (allOf: unknown): boolean =>
  Array.isArray(allOf) && allOf.map((one) => one?.title).join() === 'Simple User,Enterprise'

/** Follows `$ref` of parameters and responses, which the schema validator does not resolve. */
function resolve(
  description: object,
  value: object,
  pointer: readonly string[],
): { readonly pointer: readonly string[]; readonly value: unknown } {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return { pointer, value }
  const target = value.$ref.slice(2).split('/')
  let node: unknown = description
  for (const key of target) node = (node as Record<string, unknown>)[key]
  return { pointer: target, value: node }
}

const jsonType = (content: object): string | undefined =>
  Object.keys(content).find((type) => type === 'application/json')

const escapePointer = (key: string): string =>
  encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
