import { createDataMask } from '../../text/secrets/mask-data.ts'
import { createSecretMask } from '../../text/secrets/redact.ts'

/** In data that is read again, a shorter value would blot out words: a server of one's own may ask for `none`. */
const shortestInData = 8

/** Those that can be masked in data, not only in prose. */
export const secretsInData = (secrets: readonly string[]): readonly string[] =>
  secrets.filter(({ length }) => length >= shortestInData)

/** For names, ids and commands: what is registered is masked, and no shape is guessed. */
export const maskOfData = (secrets: readonly string[]): (<Data>(data: Data) => Data) =>
  createDataMask(createSecretMask(secretsInData(secrets)))

/**
 * The port, with every string that its methods are given masked. `stays` names those whose arguments
 * go nowhere; a method that is new, and so not named, is masked.
 */
export function maskArguments<Port extends object>(
  port: Port,
  mask: <Data>(data: Data) => Data,
  stays: readonly (keyof Port & string)[] = [],
): Port {
  const names: readonly string[] = stays
  const masked = Object.entries(port).map(([name, member]: [string, unknown]) =>
    typeof member === 'function' && !names.includes(name)
      ? [name, (...given: readonly unknown[]): unknown => Reflect.apply(member, port, mask(given))]
      : [name, member],
  )
  return Object.fromEntries(masked) as Port
}
