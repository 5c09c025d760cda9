/** Shorter values are ordinary words: a self-hosted server may have the key `none`. */
const shortestSecret = 8

/** Returns true for `postgres` or `my-test-key`: the password of a workflow's database is also all over the code. */
const isWord = (value: string): boolean =>
  value.length < 24 && /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)(?:[ _-][A-Za-z]+){0,3}$/.test(value)

/** Variables whose name says that they hold a secret, and not where one is. */
const secretName =
  /(?:KEY|TOKEN|SECRET|PASSWD|PASSPHRASE|CREDENTIALS?|[_-](?:PASS|PAT))(?:_?\d+)?$|PASSWORD|(?:^|[_-])(?:TOKEN|SECRET)[_-]/i
const nameOfPlace = /[_-](?:FILE|PATH|DIR|URL|NAME|ID)$/i

/** The secrets in the environment, by the names of variables, which include an Action's inputs. */
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
