import type { GraphQLError } from 'graphql'
import type { Identity } from '../records.ts'
import { failed } from './connection.ts'

/** The number in a node id of this kind, `null` when it is of another. */
export function readNodeId(kind: string, id: string): number | null {
  const [name, number] = Buffer.from(id, 'base64url').toString().split(':')
  return name === kind ? Number(number) : null
}

export const missingNode = (id: string): GraphQLError =>
  failed('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`)

export const forbidden = ({ login, type }: Identity, name: string): GraphQLError =>
  failed(
    'FORBIDDEN',
    type === 'Bot'
      ? 'Resource not accessible by integration'
      : `${login} does not have the correct permissions to execute \`${name}\``,
  )
