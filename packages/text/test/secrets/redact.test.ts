import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createRedactor } from '../../secrets/redact.ts'

const secret = 'p@ss/w0rd+"ü'
const redact = createRedactor([
  secret,
  'abc',
  '',
  'line-one-of-it\nline-two-of-it\n',
  'hushed',
  'hushedlonger',
])
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('registered secrets', () => {
  test.each([
    ['as it is', `x ${secret} y`, 'x *** y'],
    ['in a row', `${secret}${secret}`, '******'],
    ['base64', `x ${base64(secret)} y`, 'x *** y'],
    ['URL', `?q=${encodeURIComponent(secret)}&r`, '?q=***&r'],
    ['URL, lower case', `?q=${encodeURIComponent(secret).toLowerCase()}&r`, '?q=***&r'],
    ['JSON', JSON.stringify({ a: secret }), '{"a":"***"}'],
    ['JSON in JSON', JSON.stringify(JSON.stringify(secret)), '"\\"***\\""'],
    ['one of its lines', 'x line-two-of-it y', 'x *** y'],
    ['the longer of two', 'hushedlonger', '***'],
    ['too short to hide', 'abc', 'abc'],
  ])('%s', (_, text, clean) => {
    expect(redact(text)).toBe(clean)
  })

  const wide = (text: string) => Buffer.from(text, 'utf16le')
  const hex = Buffer.from(secret).toString('hex')
  const codes = (write: (code: string) => string) =>
    [...secret].map((letter) => write((letter.codePointAt(0) ?? 0).toString(16))).join('')
  test.each([
    [
      'base64, wrapped',
      base64(`${'a'.repeat(72)}${secret}${'b'.repeat(9)}`).replace(/.{76}/g, '$&\n'),
    ],
    ['base64, wrapped and indented', base64(secret).replace(/.{6}/g, '$&\r\n    > ')],
    ['base64, wrapped in JSON', JSON.stringify(base64(secret).replace(/.{6}/g, '$&\n'))],
    ['base64 of UTF-16', wide(secret).toString('base64')],
    ['base64 of UTF-16, big-endian, shifted', wide(`a${secret}`).swap16().toString('base64')],
    ['UTF-16 read as bytes', wide(`${secret}.`).toString('latin1')],
    ['UTF-16 in hex', wide(secret).toString('hex')],
    ['hex in mixed case', hex.replace(/[a-f]/, (digit) => digit.toUpperCase())],
    ['hex with colons', hex.toUpperCase().match(/../g)?.join(':') ?? ''],
    ['hex in lines', hex.match(/..?/g)?.join(' \n') ?? ''],
    [
      'hex in an array',
      hex
        .match(/../g)
        ?.map((byte) => `0x${byte}`)
        .join(', ') ?? '',
    ],
    [
      'hex of a string',
      hex
        .match(/../g)
        ?.map((byte) => `\\x${byte}`)
        .join('') ?? '',
    ],
    [
      'URL, every character',
      hex
        .match(/../g)
        ?.map((byte) => `%${byte}`)
        .join('') ?? '',
    ],
    ['code units', codes((code) => `\\u${code.padStart(4, '0')}`)],
    ['code units in JSON', codes((code) => `\\\\u${code.padStart(4, '0').toUpperCase()}`)],
    ['code points', codes((code) => `\\u{${code}}`)],
    ['hex entities', codes((code) => `&#x${code};`)],
    ['decimal entities', codes((code) => `&#${Number.parseInt(code, 16)};`)],
    ['named entities', secret.replace('"', '&quot;')],
    ['quoted printable', secret.replace('"', '=22').replace('@', '=40')],
  ])('%s', (_, text) => {
    const clean = redact(`x ${text} y`)
    expect(clean).toContain('***')
    // A character that also encodes part of the neighbouring text may stay.
    expect(clean.replace(/^x | y$|\*{3}|YWFh|YmJi|[^A-Za-z0-9+/]/g, '').length).toBeLessThan(6)
  })

  it('hides every line of a long secret, in wrapped base64', () => {
    const long = Array.from(
      { length: 40 },
      (_, line) => `line ${line} of a long key: ${line * 7919}`,
    )
    const clean = createRedactor([long.join('\n')])
    const text = base64(`{"key":"${long.join('\n')}"}`).replace(/.{76}/g, '$&\n')
    const left = Buffer.from(clean(text).replaceAll('***', '').replaceAll('\n', ''), 'base64')
    expect(left.length).toBeLessThan(300)
  })

  it('hides base64 at every alignment and URL form, whatever stands around', () => {
    const value = fc.stringMatching(/^[!-~]{9,30}$/)
    fc.assert(
      fc.property(
        value,
        fc.string({ maxLength: 5 }),
        fc.string({ maxLength: 5 }),
        (hidden, before, after) => {
          const clean = createRedactor([hidden])
          for (const encoding of ['base64', 'base64url'] as const) {
            const text = Buffer.from(before + hidden + after).toString(encoding)
            const shown = Buffer.from(clean(text).split('***').join('AAAA'), encoding).toString()
            expect(clean(text)).toContain('***')
            expect(shown).not.toContain(hidden.slice(2, -2))
          }
          expect(clean(`${before} ${hidden} ${after}`)).not.toContain(hidden)
        },
      ),
    )
  })
})

describe('known shapes', () => {
  const long = 'Ab1'.repeat(14)
  test.each([
    ['ghp', `ghp_${long}`],
    ['gho', `gho_${long}`],
    ['ghs', `ghs_${long}`],
    ['ghu', `ghu_${long}`],
    ['fine-grained', `github_pat_${long}_${long}`],
    ['OpenAI', `sk-${long}`],
    ['OpenAI project', `sk-proj-${long}-x_y`],
    ['AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['Slack', 'xoxb-123456789012-abcdefGHIJ'],
    ['npm', `npm_${long}`],
    ['PyPI', `pypi-${long}`],
    ['JWT', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${long}`],
    [
      'private key',
      `-----BEGIN RSA PRIVATE KEY-----\n${long}\n${long}==\n-----END RSA PRIVATE KEY-----`,
    ],
    ['private key in JSON', `-----BEGIN PRIVATE KEY-----\\n${long}\\n-----END PRIVATE KEY-----`],
    ['private key, cut', `-----BEGIN OPENSSH PRIVATE KEY-----\n${long}\n`],
  ])('%s', (_, token) => {
    expect(redact(`"${token}"`)).toBe('"***"')
    expect(redact(`a\\n${token},`)).toBe('a\\n***,')
  })

  test.each([
    ['Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
    ['{"authorization":"Basic dXNlcg=="}', '{"authorization":"Basic ***"}'],
    ['AUTHORIZATION: token abc', 'AUTHORIZATION: token ***'],
    ['https://user:pass@host/x', 'https://***@host/x'],
    ['postgres://u:p%40ss@db:5432/x', 'postgres://***@db:5432/x'],
  ])('%s', (text, clean) => {
    expect(redact(text)).toBe(clean)
  })

  test.each([
    'task-runner and risk-free disk-image-of-the-last-week',
    'https://host:8080/a@b',
    'git@github.com:o/r.git',
    'the bearer of news',
    'sha 0123456789abcdef0123456789abcdef01234567',
    'eyJ is no token',
  ])('leaves alone: %s', (text) => {
    expect(redact(text)).toBe(text)
  })
})

test.each([
  'eyJ',
  'eyJ-',
  'ghp_',
  '-----BEGIN PRIVATE KEY-----',
  'Version:\n',
  '://a:',
  'sk-',
  'a',
  ' ',
])('a megabyte of %j does not break it', (unit) => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
  for (const run of [text, `ghp_${text}`, `-----BEGIN PRIVATE KEY-----${text}`]) {
    expect(redact(`${secret}${run}${secret}`)).not.toContain(secret)
  }
})
