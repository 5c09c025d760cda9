import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Environment,
  mayRunHere,
  readEnvironment,
} from '../../../src/entry/app/read-environment.ts'
import { appKey, webhookSecret } from './app-key.ts'

const whole = { APP_ID: '12345', PRIVATE_KEY: appKey, WEBHOOK_SECRET: webhookSecret }
const read = (change: Environment = {}, takesWebhooks = true) =>
  readEnvironment({ ...whole, ...change }, { takesWebhooks })

describe('the environment of the App', () => {
  it('has defaults for all but the three that GitHub gives', async () => {
    expect(await read()).toMatchObject({
      appId: 12345,
      webhookSecret,
      apiUrl: 'https://api.github.com',
      database: { kind: 'embedded', directory: '.executor/queue' },
      host: '0.0.0.0',
      port: 3000,
      concurrency: 4,
      localRepositories: [],
      localAgents: [],
      ceiling: { tokens: null, dollars: null },
    })
  })

  it.each<[string, Environment, string, RegExp]>([
    ['no APP_ID', { APP_ID: '' }, 'app_not_configured', /APP_ID is not set/],
    ['a name for an id', { APP_ID: 'my-app' }, 'app_not_configured', /APP_ID is not a number/],
    ['no key', { PRIVATE_KEY: undefined }, 'app_not_configured', /PRIVATE_KEY_PATH/],
    ['half a key', { PRIVATE_KEY: appKey.slice(0, 200) }, 'app_not_configured', /not the PEM/],
    ['no secret', { WEBHOOK_SECRET: undefined }, 'weak_webhook_secret', /not set/],
    ['Probot’s secret', { WEBHOOK_SECRET: 'development' }, 'weak_webhook_secret', /publicly known/],
    ['a short one', { WEBHOOK_SECRET: 'Xk3#9a!pQz7Lm2d' }, 'weak_webhook_secret', /15 characters/],
    ['a dull one', { WEBHOOK_SECRET: 'abababababababababab' }, 'weak_webhook_secret', /repeats/],
    [
      'GitHub’s example',
      { WEBHOOK_SECRET: "It's a Secret to Everybody" },
      'weak_webhook_secret',
      /publicly known/,
    ],
    ['another database', { DATABASE_URL: 'mysql://db/queue' }, 'app_not_configured', /postgres:/],
    [
      'a ceiling with a unit',
      { EXECUTOR_INSTALLATION_COST_PER_DAY: '$5' },
      'app_not_configured',
      /EXECUTOR_INSTALLATION_COST_PER_DAY is not a number/,
    ],
    ['a wrong port', { PORT: '80a' }, 'app_not_configured', /PORT is not a number/],
    [
      'a key that is nowhere',
      { PRIVATE_KEY: '', PRIVATE_KEY_PATH: '/no/key' },
      'file_unreadable',
      /no.key/,
    ],
  ])('refuses %s', async (_, change, code, message) => {
    const reading = read(change)
    await expect(reading).rejects.toMatchObject({ code, exitCode: 2 })
    await expect(reading).rejects.toThrow(message)
  })

  it('takes the key from a file, on one line, and in base64', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'key-'))
    const path = join(directory, 'app.pem')
    await writeFile(path, appKey)
    const forms: Environment[] = [
      { PRIVATE_KEY: '', PRIVATE_KEY_PATH: path },
      { PRIVATE_KEY: appKey.replaceAll('\n', '\\n') },
      { PRIVATE_KEY: Buffer.from(appKey).toString('base64') },
    ]
    const keys = await Promise.all(forms.map(async (form) => (await read(form)).privateKey))
    expect(new Set([...keys, (await read()).privateKey]).size).toBe(1)
    await rm(directory, { recursive: true })
  })

  it('asks a worker for no secret', async () => {
    const worker = { WEBHOOK_SECRET: undefined, DATABASE_URL: 'postgresql://db/queue' }
    expect(await read(worker, false)).toMatchObject({
      webhookSecret: null,
      database: { kind: 'postgres', url: 'postgresql://db/queue' },
    })
  })

  it.each([
    ['octo/app', '', false],
    ['octo/app', 'octo/app', true],
    ['Octo/App', 'octo/app', true],
    ['octo/app', 'octo/*, other/one', true],
    ['octo/app', 'octo/apple', false],
    ['octopus/app', 'octo/*', false],
    ['octo/app', '*', false],
  ])('%s may run here with %j: %s', async (repository, allowed, may) => {
    const { localRepositories } = await read({ EXECUTOR_LOCAL_REPOSITORIES: allowed })
    expect(mayRunHere(repository, localRepositories)).toBe(may)
  })
})
