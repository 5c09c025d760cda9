import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandboxKinds } from '../../../test/sandbox-kinds.ts'
import { temporaryFolder } from '../../judge/test/temporary-project.ts'
import { createProcessSandbox } from '../process-sandbox.ts'
import { readToolchain } from '../toolchain.ts'

const { present } = await sandboxKinds()

/** A version manager as git cloned it: its shims start it by its whole path. */
async function cloneManager(name: string): Promise<string> {
  const root = join(await temporaryFolder(), name)
  const texts = {
    '.git/HEAD': '',
    'libexec/manager': '#!/bin/sh\necho "it runs, at $TOOLENV_ROOT"\n',
    'shims/tool': `#!/bin/sh\nexec '${root}/libexec/manager'\n`,
  }
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
    await chmod(join(root, path), 0o755)
  }
  return root
}

it.each(present)('%s shows a version manager as a whole', async (only) => {
  const root = await cloneManager('.toolenv')
  const sandbox = createProcessSandbox({
    ...{ mode: 'auto', only, checkout: null, cacheDirectory: await temporaryFolder() },
    environment: { PATH: `${root}/shims:${process.env.PATH}` },
  })
  const run = await sandbox.run({
    ...{ command: { shell: 'tool' }, folder: await temporaryFolder(), directory: '.', env: {} },
    ...{ network: false, mounts: [], timeoutSeconds: 20, collect: [] },
  })
  expect([run.exitCode, run.stdout]).toEqual([0, `it runs, at ${root}\n`])
})

it.each([
  ['.rbenv', 'RBENV_ROOT'],
  ['asdf', 'ASDF_DATA_DIR'],
])('knows the home of %s from its shims', async (name, variable) => {
  const root = await cloneManager(name)
  const { env, readOnly } = readToolchain({ PATH: `${root}/shims` }, '/home/other', [])
  expect(env[variable]).toBe(root)
  expect(readOnly).toContain(root)
})

it('shows no home for the sake of shims in it', async () => {
  const root = await cloneManager('person')
  expect(readToolchain({ PATH: `${root}/shims` }, root, []).readOnly).not.toContain(root)
})
