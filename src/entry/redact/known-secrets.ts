/** Shorter values are words: a server of one's own may be given `none` for a key. */
const shortestSecret = 8

/** Variables that hold a secret by their name. */
const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i

/** What of the environment is secret, as far as names tell; the inputs of an Action are variables, too. */
export const secretsOfEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  Object.entries(environment).flatMap(([name, value]) =>
    secretName.test(name) && value !== undefined && value.length >= shortestSecret ? [value] : [],
  )
