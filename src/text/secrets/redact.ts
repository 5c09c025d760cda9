import { base64Inside, createSpelledMask } from './mask-spelled.ts'

const mask = '***'

/** Shorter values would blot out ordinary words. */
const shortestSecret = 4

/**
 * The one redactor of all outgoing text: replaces registered secrets (also as base64, hex, URL and
 * JSON text, escaped or wrapped, and line by line) and whatever is shaped like a known token by `***`.
 *
 * Missed, and said so in SECURITY.md: other encodings (gzip, encryption, reversed), values cut into
 * pieces, and secrets of unknown shape that nobody registered.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const maskRegistered = createSecretMask(secrets)
  return (text) => {
    let clean = maskRegistered(text)
    for (const { shape, keeps } of shapes) {
      clean = clean.replace(shape, (...found: readonly unknown[]) => (keeps ? found[1] : '') + mask)
    }
    return clean
  }
}

/** Replaces registered secrets only, in every spelling: for code, whose examples look like tokens. */
export function createSecretMask(secrets: readonly string[]): (text: string) => string {
  const values = [...new Set(secrets.flatMap(withLines))]
  const needles = [...new Set(values.flatMap(spellingsOf))]
    .filter((needle) => needle.length >= shortestSecret)
    .sort((a, b) => b.length - a.length)
  const maskSpelled = createSpelledMask(values, mask)
  return (text) => {
    let clean = text
    for (const needle of needles) clean = clean.replaceAll(needle, mask)
    return maskSpelled(clean)
  }
}

/** A value of several lines is printed line by line. */
function withLines(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.trim().length >= 8)
  return [secret, secret.trim(), ...(lines.length > 1 ? lines : [])].filter(
    (value) => value.length >= shortestSecret,
  )
}

function spellingsOf(secret: string): readonly string[] {
  const url = encodeURIComponent(secret.toWellFormed())
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    ...base64Of(secret),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
    url,
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    url.replaceAll('%20', '+'),
    encodeURI(secret.toWellFormed()),
    json,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
  ]
}

function base64Of(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const alone = bytes.toString('base64')
  const plain = [alone, alone.replace(/=+$/, ''), ...base64Inside(bytes)]
  return [...plain, ...plain.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))]
}

/** Known tokens. `keeps`: the first group stays. Bounded: an open end overflows the stack on a long run. */
const shapes: readonly { readonly shape: RegExp; readonly keeps?: true }[] = [
  {
    shape:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s*(?:Proc-Type|DEK-Info|Version|Comment):[^\n]*){0,8}[A-Za-z0-9+/=\s\\]*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  { shape: /github_pat_[A-Za-z0-9_]{20,8000}/g },
  { shape: /gh[pousr]_[A-Za-z0-9][A-Za-z0-9_.-]{15,8000}/g },
  { shape: /(?<=^|[^A-Za-z0-9]|\\[nrt])sk-[A-Za-z0-9_-]{16,8000}/g },
  { shape: /(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,8000}/g },
  { shape: /(?<=^|[^A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g },
  {
    shape:
      /(aws_?secret_?access_?key["']?[ \t]{0,8}[=:][ \t]{0,8}["']?)[A-Za-z0-9/+]{30,8000}={0,2}/gi,
    keeps: true,
  },
  { shape: /xox[abeoprs]-[A-Za-z0-9-]{10,8000}/g },
  { shape: /xapp-[A-Za-z0-9-]{10,8000}/g },
  { shape: /(?<=^|[^\w-]|\\[nrt])eyJ[\w-]{8,8000}\.[\w-]{8,8000}(?:\.[\w-]{0,8000})?/g },
  { shape: /npm_[A-Za-z0-9]{20,8000}/g },
  { shape: /pypi-[A-Za-z0-9_-]{20,8000}/g },
  { shape: /glpat-[A-Za-z0-9_-]{16,8000}/g },
  { shape: /(?<=^|[^A-Za-z0-9]|\\[nrt])hf_[A-Za-z0-9]{20,8000}/g },
  { shape: /AIza[A-Za-z0-9_-]{35}/g },
  {
    shape:
      /(authorization["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?:bearer|basic|token)[ \t]{1,8})[^\s"',;]+/gi,
    keeps: true,
  },
  { shape: /(\bbearer[ \t]{1,8})[A-Za-z0-9._~+/=-]{16,8000}/gi, keeps: true },
  { shape: /(?<=:\/\/)[^\s/@:"'<>]{0,255}:[^\s/@"'<>]{1,1023}(?=@)/g },
]
