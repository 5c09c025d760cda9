import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createProcessSandbox } from '../../../packages/sandbox/process-sandbox.ts'
import { checkSandboxes } from '../../../src/adapters/doctor/doctor-sandbox.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'
import { sandboxKinds } from '../../sandbox-kinds.ts'

it('runs a test in every kind that this machine has', async () => {
  const cacheDirectory = await mkdtemp(join(tmpdir(), 'doctor-sandbox-'))
  const { present } = await sandboxKinds()
  const [strongest, ...others] = present.filter((kind) => kind !== 'unsandboxed')
  const [first, second] = await checkSandboxes((only) =>
    createProcessSandbox({
      ...{ mode: 'auto', checkout: null, cacheDirectory, ignoresMemory: true },
      ...(only !== undefined && { only }),
    }),
  )
  expect(first?.detail).toMatch(new RegExp(`^${strongest ?? 'unsandboxed'}: a test ran in`))
  const isStrong = strongest === 'bubblewrap' || strongest === 'other-user'
  expect(first).toMatchObject({ status: isStrong ? 'ok' : 'warn' })
  if (isStrong) expect(first?.detail).toContain('saw no file outside its folder')
  if (others.length > 0) expect(second?.detail).toContain(`these work, too: ${others.join(', ')}`)
  await rm(cacheDirectory, { recursive: true })
})

it('fails where no test runs', async () => {
  const broken = createScriptedSandbox(() => ({ exitCode: 1, stderr: 'a line\nno space left\n' }))
  const [first] = await checkSandboxes(() => broken)
  expect(first).toMatchObject({ status: 'fail', detail: expect.stringContaining('no space left') })
})
