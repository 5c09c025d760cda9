import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { appKey, webhookSecret } from '../../entry/app/app-key.ts'

const project = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(project, path), 'utf8')
const dockerfile = read('Dockerfile')
const secrets = { APP_ID: '1', PRIVATE_KEY: appKey, WEBHOOK_SECRET: webhookSecret }

const composeShape = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      build: z.string().optional(),
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.union([z.string(), z.number()])),
      volumes: z.array(z.string()).optional(),
      ports: z.array(z.string()).optional(),
    }),
  ),
  volumes: z.record(z.string(), z.object({})),
})

describe.each(['compose.yml', 'compose-workers.yml'])('docs/examples/%s', (name) => {
  const text = read(`docs/examples/${name}`)
  const compose = composeShape.parse(parse(text, { merge: true }))
  const ours = Object.values(compose.services).filter(({ build }) => build !== undefined)

  it('sets only variables that the App reads, and asks for those that have no default', () => {
    const known = read('src/entry/app/read-environment.ts')
    for (const { environment } of ours)
      for (const variable of Object.keys(environment)) expect(known).toContain(variable)
    const asked = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, variable]) => variable)
    const used = [...text.matchAll(/\$\{(\w+)(:-)?/g)].filter(([, , hasDefault]) => !hasDefault)
    for (const [, variable] of used) expect(asked).toContain(variable)
  })

  it('builds the image of this folder, and lets it write to /data and /tmp alone', () => {
    const words = dockerfile.match(/^CMD (\[.+\])$/m)?.[1] ?? '[]'
    const [node, program] = JSON.parse(words)
    expect(ours.length).toBeGreaterThan(0)
    for (const service of ours) {
      expect(join('docs/examples', service.build ?? '')).toBe('.')
      expect(service).toMatchObject({
        ...{ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] },
        ...{ volumes: ['data:/data'], security_opt: ['no-new-privileges:true'] },
      })
      if (service.command !== undefined)
        expect(service.command.slice(0, 2)).toEqual([node, program])
    }
    for (const { volumes = [] } of Object.values(compose.services))
      for (const volume of volumes)
        expect(compose.volumes).toHaveProperty(volume.split(':')[0] ?? '')
    const receivers = ours.filter(({ ports = [] }) => ports.length > 0)
    expect(receivers).toHaveLength(1)
  })
})

describe('the image, on a machine without Docker', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'container-'))
    if (isRoot) chownSync(folder, nobody, nobody)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const isRoot = process.getuid?.() === 0
  const bubblewrap = 'bwrap'
  const nobody = 65_534
  const start = dockerfile.split('HEALTHCHECK')[1] ?? ''
  const wordsOf = (pattern: RegExp): readonly string[] =>
    JSON.parse(pattern.exec(start)?.[1] ?? '[]').slice(1)

  /** As with `--read-only --tmpfs /tmp`, and a volume at /data. */
  const readOnly = [
    '--die-with-parent',
    ...['--ro-bind', '/', '/', '--tmpfs', '/tmp', '--dev', '/dev', '--proc', '/proc'],
    ...['--ro-bind', project, project, '--unshare-user', '--uid', '1000', '--gid', '1000'],
  ]

  it.each([
    ['without an App', {}, /Set it up at (\S+)\/\?token=/],
    ['with one', secrets, /listens at (\S+),/],
  ])(
    'starts %s as another user, writes to /data alone, and passes its own check',
    async (_, app, listens) => {
      const env = {
        ...{ PATH: process.env.PATH ?? '', HOME: '/home/node', HOST: '127.0.0.1', PORT: '0' },
        ...{ EXECUTOR_DATA: folder, XDG_CACHE_HOME: join(folder, 'cache'), ...app },
      }
      const [program = '', ...words] = wordsOf(/^CMD (.+)$/m)
      const node = [process.execPath, join(project, program), ...words]
      const options = isRoot ? { uid: nobody, gid: nobody } : {}
      const mounts = [...readOnly, '--bind', folder, folder, '--chdir', '/']
      const child = spawn(bubblewrap, [...mounts, ...node], { env, stdio: 'pipe', ...options })
      const exited = once(child, 'exit')
      const url = await new Promise<string>((resolve, reject) => {
        const said: string[] = []
        createInterface(child.stderr).on('line', (line) => said.push(line))
        createInterface(child.stdout).on('line', (line) => {
          said.push(line)
          const found = listens.exec(line)?.[1]
          if (found !== undefined) resolve(found)
        })
        void exited.then(() => reject(new Error(said.join('\n'))))
      })
      const check = wordsOf(/^ {2}CMD (\[.+\])$/m)
      const isHealthy = (port: string) =>
        spawnSync(process.execPath, check, { env: { ...env, PORT: port } }).status
      expect([isHealthy(new URL(url).port), isHealthy('1')]).toEqual([0, 1])
      child.kill('SIGTERM')
      await exited
    },
  )

  it('names the folders that the test gives it', () => {
    expect(dockerfile).toMatch(/^ENV .*EXECUTOR_DATA=\/data XDG_CACHE_HOME=\/data\/cache /m)
    expect(dockerfile).toMatch(/^USER node$/m)
  })
})
