import { afterEach, expect, it, test, vi } from 'vitest'
import { secretsOf } from '../../../src/entry/compose/compose.ts'
import { secretsOfEnvironment } from '../../../src/entry/redact/redact-ports.ts'

afterEach(() => vi.unstubAllEnvs())

const value = 'v4lue-of-it'

test.each([
  ...['NPM_TOKEN', 'npm_config__authToken', 'DEPLOY_KEY', 'CLIENT_SECRET', 'PGPASSWORD', 'API_KEY'],
  ...['DB_PASSWORD_2', 'PASSWORD_OF_DB', 'KEYSTORE_PASSPHRASE', 'SMTP_PASS', 'ADO_PAT', 'TOKEN1'],
  ...['INPUT_GITHUB-TOKEN', 'GOOGLE_CREDENTIALS', 'SECRET_KEY_BASE', 'TOKEN_GITHUB'],
])('%s is secret', (name) => {
  expect(secretsOfEnvironment({ [name]: value })).toEqual([value])
})

test.each([
  'PATH',
  'HOME',
  'KEYBOARD',
  'MONKEY_ISLAND',
  'TOKENIZER',
  'COMPASS',
  'SECRETARY',
  'PATTERN',
])('%s is not', (name) => {
  expect(secretsOfEnvironment({ [name]: value })).toEqual([])
})

test.each(['SSH_KEY_FILE', 'DB_PASSWORD_FILE', 'TOKEN_PATH'])('%s names a place', (name) => {
  expect(secretsOfEnvironment({ [name]: '/run/secrets/it' })).toEqual([])
})

test.each(['postgres', 'Production', 'DEVELOPMENT', 'my-test-key', 'not a secret'])(
  'the value %s is words',
  (words) => {
    expect(secretsOfEnvironment({ DB_PASSWORD: words })).toEqual([])
  },
)

test.each(['postgres1', 'qwErtyuiOp', 'correcthorsebatterystaple', 'hunter-2-hunter'])(
  'the value %s is a secret',
  (secret) => {
    expect(secretsOfEnvironment({ DB_PASSWORD: secret })).toEqual([secret])
  },
)

it('a short value is a word', () => {
  expect(secretsOfEnvironment({ API_KEY: 'none', LOCAL_TOKEN: undefined })).toEqual([])
})

it('a run masks what the environment holds, beside its own key', () => {
  vi.stubEnv('SOME_DEPLOY_TOKEN', value)
  expect(secretsOf('its-own-key')).toEqual(expect.arrayContaining(['its-own-key', value]))
  expect(secretsOf('none')).not.toContain('none')
})
