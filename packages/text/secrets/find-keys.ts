/** A key in a text that looks valid. Offsets in UTF-16 units. */
export interface FoundKey {
  readonly what: string
  readonly start: number
  readonly end: number
}

interface Shape {
  readonly what: string
  /** The group `key`, if there is one, is checked; otherwise the whole match. */
  readonly shape: RegExp
  readonly contains?: RegExp
}

/** As issuers make keys: prefix, alphabet and length. Stricter than the redaction of logs. */
const shapes: readonly Shape[] = [
  {
    what: 'a private key',
    shape:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s*(?:Proc-Type|DEK-Info|Version|Comment):[^\n]{0,200}){0,8}(?<key>[A-Za-z0-9+/=\s\\]{120,20000})-----END[A-Z0-9 ]{0,60}-----/g,
  },
  { what: 'a GitHub token', shape: /github_pat_(?<key>[A-Za-z0-9]{22}_[A-Za-z0-9]{50,100})/g },
  { what: 'a GitHub token', shape: /gh[pousr]_(?<key>[A-Za-z0-9]{36,255})/g },
  { what: 'a GitLab token', shape: /glpat-(?<key>[\w-]{20,100})/g },
  {
    what: 'an API key of a model provider',
    shape:
      /(?<![A-Za-z0-9-])sk-(?:proj-|svcacct-|admin-|ant-[a-z]+\d{2}-|or-v1-)?(?<key>[\w-]{32,250})/g,
    contains: /\d.*[A-Z]|[A-Z].*\d|^[a-f0-9]{64}$/,
  },
  { what: 'a Hugging Face token', shape: /(?<![A-Za-z0-9])hf_(?<key>[A-Za-z]{34})(?![A-Za-z])/g },
  { what: 'a Google API key', shape: /AIza(?<key>[\w-]{35})(?![\w-])/g },
  { what: 'a Stripe key', shape: /(?:sk|rk)_live_(?<key>[A-Za-z0-9]{24,250})/g },
  { what: 'an AWS key id', shape: /(?<![A-Z0-9])(?:AKIA|ASIA)(?<key>[A-Z2-7]{16})(?![A-Z0-9])/g },
  {
    what: 'an AWS secret key',
    shape:
      /aws_?secret_?access_?key["']?[ \t]{0,8}[=:][ \t]{0,8}["']?(?<key>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/gi,
  },
  { what: 'a Slack token', shape: /xox[abeoprs]-(?<key>\d{8,}-[A-Za-z0-9-]{16,250})/g },
  { what: 'a SendGrid key', shape: /SG\.(?<key>[\w-]{22}\.[\w-]{43})(?![\w-])/g },
  { what: 'an npm token', shape: /npm_(?<key>[A-Za-z0-9]{36})(?![A-Za-z0-9])/g },
  { what: 'a PyPI token', shape: /pypi-(?<key>AgEI[\w-]{50,250})/g },
]

const placeholder =
  /example|sample|placeholder|dummy|fake|changeme|redacted|your|secret|token|x{4}|\.{3}|0{6}|1234567|abcdefg|(.)\1{5}/i

const anyPrefix =
  /PRIVATE KEY|github_pat_|gh[pousr]_|glpat-|sk-|hf_|AIza|[sr]k_live_|AKIA|ASIA|aws_?secret|xox[abeoprs]-|SG\.|npm_|pypi-/i

/** Valid keys are random: at least this many bits per character in 20 letters and digits. */
const leastEntropy = 3.1

/**
 * Finds keys of known issuers in a text, except obvious placeholders: `AKIAIOSFODNN7EXAMPLE`,
 * `ghp_xxxx…`, a run of one letter, words.
 */
export function findKeys(text: string): readonly FoundKey[] {
  if (!anyPrefix.test(text)) return []
  return shapes.flatMap(({ what, shape, contains = /^/ }) =>
    [...text.matchAll(shape)].flatMap((match) => {
      const key = match.groups?.key ?? match[0]
      return contains.test(key) && isRandom(key)
        ? [{ what, start: match.index, end: match.index + match[0].length }]
        : []
    }),
  )
}

function isRandom(key: string): boolean {
  const sample = key.replace(/\s+/g, '').slice(0, 200)
  return !placeholder.test(sample) && entropyOf(sample) >= leastEntropy
}

/** Shannon entropy, in bits per character. */
function entropyOf(text: string): number {
  const groups = [...Map.groupBy(text, (character) => character).values()]
  return groups.reduce((sum, { length }) => {
    const share = length / text.length
    return sum - share * Math.log2(share)
  }, 0)
}

/** Replaces each such key with `***`; line feeds in it stay. */
export const maskKeys = (text: string): string =>
  maskPlaces(text, findKeys(text), (key) => mask + key.replace(/[^\n]+/g, ''))

export const mask = '***'

/** Replaces these places, which may overlap. */
export function maskPlaces(
  text: string,
  places: readonly { readonly start: number; readonly end: number }[],
  write: (hidden: string) => string,
): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start)) {
    if (start >= at) parts.push(text.slice(at, start), write(text.slice(start, end)))
    at = Math.max(at, end)
  }
  return [...parts, text.slice(at)].join('')
}
