import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createRedactor } from '../../../src/text/secrets/redact.ts'

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
