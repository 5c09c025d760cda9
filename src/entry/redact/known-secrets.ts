/** Shorter values are words: a server of one's own may be given `none` for a key. */
const shortestSecret = 8

/** `postgres`, `my-test-key`: what a database of a workflow is given stands all over the code as well. */
const isWord = (value: string): boolean =>
  value.length < 24 && /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)(?:[ _-][A-Za-z]+){0,3}$/.test(value)

/** Variables that hold a secret by their name, unless the name says that they tell where one is. */
const secretName =
  /(?:KEY|TOKEN|SECRET|PASSWD|PASSPHRASE|CREDENTIALS?|[_-](?:PASS|PAT))(?:_?\d+)?$|PASSWORD|(?:^|[_-])(?:TOKEN|SECRET)[_-]/i
const nameOfPlace = /[_-](?:FILE|PATH|DIR|URL|NAME|ID)$/i

/** What of the environment is secret, as far as names tell; the inputs of an Action are variables, too. */
export const secretsOfEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  Object.entries(environment).flatMap(([name, value]) =>
    secretName.test(name) &&
    !nameOfPlace.test(name) &&
    value !== undefined &&
    value.length >= shortestSecret &&
    !isWord(value)
      ? [value]
      : [],
  )
