import { createSign, generateKeyPairSync } from 'node:crypto'
import { Octokit } from '@octokit/rest'
import { describe, expect, it } from 'vitest'
import { type Bench, createClock, openBench, refusal, target } from './bench.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const app = {
  id: 77,
  slug: 'executor',
  publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
}

interface Claims {
  readonly iat?: number
  readonly exp?: number
  readonly iss?: string | number
}

/** A token that an app signs for itself, at this time. */
function signed(now: Date, claims: Claims = {}, key = privateKey): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const payload = { iat: seconds - 30, exp: seconds + 570, iss: app.id, ...claims }
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(payload)}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
}

const octokitOf = ({ server }: Bench, auth: string): Octokit =>
  new Octokit({
    ...{ baseUrl: server.apiUrl, auth: `Bearer ${auth}` },
    authStrategy: () => ({
      hook: (request: (options: object) => unknown, options: { headers: object }) =>
        request({ ...options, headers: { ...options.headers, authorization: `Bearer ${auth}` } }),
    }),
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })

describe('a GitHub App on the test server', () => {
  it('is asked for itself with what it signed, and for its work with tokens that end', async () => {
    const clock = createClock()
    const options = { now: clock.now, app: { ...app, tokenSeconds: 2 } }
    await using bench = await openBench({ installationId: 5 }, options)
    const { apps } = octokitOf(bench, signed(clock.now()))
    expect((await apps.getAuthenticated()).data).toMatchObject({ id: 77, slug: 'executor' })
    const { data: installation } = await apps.getRepoInstallation(target)
    expect(installation).toMatchObject({ id: 5, app_id: 77, account: { login: 'ada' } })
    expect((await apps.listInstallations()).data).toHaveLength(1)
    const { data: token } = await apps.createInstallationAccessToken({
      installation_id: installation.id,
    })
    expect(token.expires_at).toBe('2026-01-02T03:04:07Z')

    const { issues } = octokitOf(bench, token.token)
    const { data: issue } = await issues.create({ ...target, title: 'One' })
    expect(issue.user).toMatchObject({ login: 'executor[bot]', type: 'Bot' })
    expect(bench.server.events[0]).toMatchObject({
      startsWorkflows: true,
      payload: { installation: { id: 5 } },
    })
    clock.tick()
    clock.tick()
    expect(await refusal(issues.create({ ...target, title: 'Two' }))).toMatch(/^401 Bad credent/)
    expect(bench.server.contractViolations).toEqual([])
  })

  it('may do nothing where it is not installed, nor outside what its token is for', async () => {
    await using bench = await openBench({ installationId: 5 }, { app })
    const { apps } = octokitOf(bench, signed(new Date()))
    const ask = (more: object) =>
      apps.createInstallationAccessToken({ installation_id: 5, ...more })
    expect(await refusal(ask({ repositories: ['other'] }))).toMatch(/^422 There is at least one/)
    expect(await refusal(ask({ installation_id: 6 }))).toMatch(/^404/)
    const { data } = await ask({ repositories: ['engine'] })
    expect(data.repositories?.map(({ full_name }) => full_name)).toEqual(['ada/engine'])
    const { data: narrow } = await ask({ permissions: { contents: 'read' } })
    expect(narrow.permissions).toEqual({ contents: 'read' })
    expect(await refusal(ask({ permissions: { secrets: 'read' } }))).toMatch(/^422 .* not granted/)

    await using elsewhere = await openBench({}, { app })
    const stranger = octokitOf(elsewhere, signed(new Date())).apps
    expect(await refusal(stranger.getRepoInstallation(target))).toMatch(/^404/)
    expect(bench.server.contractViolations).toEqual([])
  })

  const now = new Date()
  const seconds = Math.floor(now.getTime() / 1000)
  const wrong: readonly [string, string, RegExp][] = [
    ['of another key', signed(now, {}, other.privateKey), /^401 A JSON web token could not be/],
    ['that is none', 'owner-token', /^401 A JSON web token could not be decoded/],
    ['that is over', signed(now, { exp: seconds - 1 }), /^401 'Expiration time' claim .* must be/],
    ['good for too long', signed(now, { exp: seconds + 700 }), /^401 .* too far in the future/],
    ['from the future', signed(now, { iat: seconds + 60 }), /^401 'Issued at' claim/],
    ['of another app', signed(now, { iss: 78 }), /^401 Integration not found/],
  ]
  it('is refused with a token that is not right', async () => {
    await using bench = await openBench({ installationId: 5 }, { app, now: () => now })
    for (const [name, token, expected] of wrong) {
      const { apps } = octokitOf(bench, token)
      expect(await refusal(apps.getAuthenticated()), name).toMatch(expected)
    }
    const { repos } = octokitOf(bench, signed(now))
    expect(await refusal(repos.get(target)), 'its own is for nothing else').toMatch(/^401 Bad/)
    expect(bench.server.contractViolations).toEqual([])
  })
})
