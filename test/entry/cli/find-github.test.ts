import { expect, it } from 'vitest'
import { findGitHub, readRemote, tokenFor } from '../../../src/entry/cli/find-github.ts'

it.each<[remote: string, environment: Record<string, string>, token: string | null]>([
  ['https://github.com/o/r.git', { GITHUB_TOKEN: 'a' }, 'a'],
  ['git@github.com:o/r.git', { GH_TOKEN: 'b' }, 'b'],
  ['https://github.com/o/r.git', { GITHUB_TOKEN: '' }, null],
  ['https://gitlab.com/o/r.git', { GITHUB_TOKEN: 'a' }, null],
  ['https://github.com.evil.example/o/r', { GITHUB_TOKEN: 'a' }, null],
  ['https://github.com@evil.example/o/r', { GITHUB_TOKEN: 'a' }, null],
  ['http://github.com/o/r.git', { GITHUB_TOKEN: 'a' }, null],
  ['https://git.corp/o/r', { GITHUB_TOKEN: 'a', GITHUB_SERVER_URL: 'https://git.corp' }, 'a'],
  ['http://127.0.0.1:1/o/r', { GITHUB_TOKEN: 'a', GITHUB_API_URL: 'http://127.0.0.1:1' }, 'a'],
  ['https://evil.example/o/r', { GITHUB_TOKEN: 'a', GITHUB_API_URL: 'https://git.corp/api' }, null],
])('of %s with %j, the token is %j', (remote, environment, token) => {
  const place = readRemote(remote, environment)
  if (place === null) throw new Error('This is no remote.')
  expect(tokenFor(place, environment)).toBe(token)
})

it('rollback and history send no token to an origin that is no GitHub', () => {
  const elsewhere = () => findGitHub('https://gitlab.com/o/r.git', { GITHUB_TOKEN: 'a' })
  expect(elsewhere).toThrow(/GITHUB_SERVER_URL=https:\/\/gitlab\.com/)
  expect(findGitHub('git@github.com:o/r.git', { GITHUB_TOKEN: 'a' }).token).toBe('a')
})
