import { describe, expect, it, test } from 'vitest'
import { checkChangeSet } from '../../../judge/gate/gate.ts'
import { findKeys, maskKeys } from '../../secrets/find-keys.ts'

/** Random-looking text from an alphabet, the same in every run. */
function random(length: number, alphabet: string): string {
  let seed = 20_250_101
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return alphabet[seed % alphabet.length]
  }).join('')
}
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const alphabet = `${upper}${upper.toLowerCase()}0123456789`
const word = (length: number) => random(length, alphabet)
const block = Array.from({ length: 8 }, () => word(64)).join('\n')

const keys: readonly (readonly [string, string])[] = [
  ['a GitHub token', `ghp_${word(36)}`],
  ['a GitHub token', `ghs_${word(36)}`],
  ['a GitHub token', `github_pat_${word(22)}_${word(59)}`],
  ['a GitLab token', `glpat-${word(20)}`],
  ['an API key of a model provider', `sk-${word(48)}`],
  ['an API key of a model provider', `sk-proj-${word(40)}`],
  ['a Hugging Face token', `hf_${random(34, `${upper}${upper.toLowerCase()}`)}`],
  ['a Google API key', `AIza${word(35)}`],
  ['a Stripe key', `sk_live_${word(24)}`],
  ['an AWS key id', `AKIA${random(16, `${upper}234567`)}`],
  ['an AWS secret key', `aws_secret_access_key = "${word(40)}"`],
  ['a Slack token', `xoxb-123450987612-${word(24)}`],
  ['a SendGrid key', `SG.${word(22)}.${word(43)}`],
  ['an npm token', `npm_${word(36)}`],
  ['a PyPI token', `pypi-AgEI${word(60)}`],
  ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${block}\n-----END RSA PRIVATE KEY-----`],
]

describe('keys', () => {
  test.each(keys)('%s is found, masked and refused', (what, key) => {
    const text = `const a = 1\nconst key = \`${key}\`\n`
    expect(findKeys(text).map((found) => found.what)).toEqual([what])
    const masked = maskKeys(text)
    expect(masked).not.toContain(key.slice(-20, -5))
    expect(masked.split('\n')).toHaveLength(text.split('\n').length)
    const rules = { scope: [], roadmap: 'R.md', protectedPaths: [], allowed: [], modes: new Map() }
    const problems = checkChangeSet([{ action: 'create', path: 'a.js', content: text }], rules)
    expect(problems).toMatchObject([{ path: 'a.js', type: 'secret', line: 2 }])
  })

  test.each([
    'AKIAIOSFODNN7EXAMPLE',
    `ghp_${'x'.repeat(36)}`,
    `ghp_${'ab'.repeat(18)}`,
    `ghp_0123456789${'abcdefghijklmnopqrstuvwxyz'}`,
    `sk-${'your-api-key-goes-here-and-nowhere-else'}`,
    'sk-ant-api03-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    `sk_test_${word(24)}`,
    '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
    `-----BEGIN PUBLIC KEY-----\n${block}\n-----END PUBLIC KEY-----`,
    `"integrity": "sha512-${word(86)}=="`,
    `commit ${random(40, '0123456789abcdef')}`,
    'const npm_config_registry_and_more_words_without_end = 1',
    'class="sk-circle-fade-dot-animation-with-a-long-name-so-that-it-is-long"',
    "headers: { Authorization: 'Bearer ' + token }",
  ])('%j is none', (text) => {
    expect(findKeys(text)).toEqual([])
  })

  it('lets a key stay that was there before', () => {
    const key = `ghp_${word(36)}`
    const change = { action: 'modify', path: 'a.js', before: `a = '${key}'\n` } as const
    const rules = {
      scope: [],
      roadmap: 'R.md',
      protectedPaths: [],
      allowed: [],
      modes: new Map([['a.js', '100644']]),
    }
    expect(checkChangeSet([{ ...change, content: `b = '${key}'\n` }], rules)).toEqual([])
    const other = `${key.slice(0, -4)}Zq9K`
    expect(checkChangeSet([{ ...change, content: `a = '${other}'\n` }], rules)).toHaveLength(1)
  })

  test.each([
    'sk-',
    'ghp_',
    '-----BEGIN PRIVATE KEY-----',
    'AIza',
    'a',
    'pypi-AgEI',
    'aws_secret_access_key=',
  ])('a megabyte of %j ends', (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    expect(maskKeys(text).length).toBeGreaterThan(0)
  })
})
