import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import {
  buildSchema,
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  parse,
  validate,
} from 'graphql'
import type { Answer } from './answer.ts'
import type { FaultEffect } from './faults.ts'
import type { QueryContext } from './graphql/connection.ts'
import { exceedsNodeLimit } from './graphql/node-limit.ts'
import { rootOf } from './graphql/root.ts'
import { schemaText } from './graphql/schema.ts'
import { mutationSchemaText } from './graphql/schema-mutations.ts'
import { pullSchemaText } from './graphql/schema-pulls.ts'
import type { Identity } from './records.ts'
import { identify, type Recording, type Running } from './running.ts'

interface GraphqlRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | null
  readonly operationName?: string | null
}

interface Result {
  readonly data?: unknown
  readonly errors?: readonly unknown[]
}

let schema: GraphQLSchema | undefined

/** Answers one GraphQL request. Errors come with status 200, as on GitHub. */
export async function answerGraphql(
  running: Running,
  request: IncomingMessage,
  record: Recording,
  effect: FaultEffect | null,
): Promise<Answer> {
  const text = (await buffer(request)).toString()
  const token = identify(running.store, request.headers.authorization)
  const viewer = token === null ? null : token?.person
  record.login = viewer?.login ?? null
  if (viewer === undefined) return send(401, { message: 'Bad credentials' })
  if (viewer === null) {
    return send(401, { message: 'This endpoint requires you to be authenticated.' })
  }
  const asked = readRequest(text)
  record.body = asked
  if (asked === null) return send(400, { message: 'Problems parsing JSON' })
  return send(200, await answer(running, viewer, record, asked, contextOf(effect)))
}

async function answer(
  running: Running,
  viewer: Identity,
  record: Recording,
  { query, variables, operationName }: GraphqlRequest,
  contextValue: QueryContext,
): Promise<Result> {
  schema ??= buildSchema(schemaText + pullSchemaText + mutationSchemaText)
  const violation = (errors: readonly GraphQLError[]): Result => {
    for (const { message } of errors) running.violations.push(`POST /graphql: ${message}`)
    return { errors: errors.map(format) }
  }
  const document = parseQuery(query)
  if (document instanceof GraphQLError) return violation([document])
  record.writes = isMutation(document)
  const problems = validate(schema, document)
  if (problems.length > 0) return violation(problems)
  const tooMany = exceedsNodeLimit(document, variables ?? {})
  if (tooMany !== null) return { errors: [{ type: 'MAX_NODE_LIMIT_EXCEEDED', message: tooMany }] }
  const known = schema
  const result = await running.inTurn(async () =>
    execute({
      ...{ schema: known, document, rootValue: rootOf(running.store, viewer) },
      ...{ variableValues: variables ?? {}, operationName: operationName ?? null },
      contextValue,
    }),
  )
  const { data, errors = [] } = result
  // A variable of the wrong type stops a query before it starts.
  if (data === undefined) return violation(errors)
  const bugs = errors.filter(({ extensions }) => extensions.type === undefined)
  for (const { message } of bugs) running.violations.push(`POST /graphql: answer: ${message}`)
  return { data, ...(errors.length === 0 ? {} : { errors: errors.map(format) }) }
}

const contextOf = (effect: FaultEffect | null): QueryContext => ({
  isBehind: (name) => effect?.kind === 'lag' && (effect.connections?.includes(name) ?? true),
})

function parseQuery(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query)
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
}

const isMutation = ({ definitions }: DocumentNode): boolean =>
  definitions.some((one) => one.kind === Kind.OPERATION_DEFINITION && one.operation === 'mutation')

/** GitHub puts an error's type next to its message. */
function format(error: GraphQLError): GraphQLFormattedError & { readonly type?: unknown } {
  const { message, path, locations } = error.toJSON()
  const { type } = error.extensions
  return {
    ...(type === undefined ? {} : { type }),
    ...(path === undefined ? {} : { path }),
    ...(locations === undefined ? {} : { locations }),
    message,
  }
}

function readRequest(text: string): GraphqlRequest | null {
  try {
    const body: unknown = JSON.parse(text)
    const isQuery =
      typeof body === 'object' && body !== null && 'query' in body && typeof body.query === 'string'
    return isQuery ? (body as GraphqlRequest) : null
  } catch {
    return null
  }
}

const send = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
})
