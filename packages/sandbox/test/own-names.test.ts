import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { realSandbox, temporaryFolder } from '../../judge/test/temporary-project.ts'

test('a report goes by another name in each run, and comes back by the one that was asked for', async () => {
  const folder = await temporaryFolder()
  const sandbox = await realSandbox()
  const run = (name: string) =>
    sandbox.run({
      command: { argv: ['sh', '-c', 'ls -A >list; echo "$0" | tee "$0"; echo own >kept', name] },
      ...{ folder, directory: '.', env: {}, network: false, mounts: [], timeoutSeconds: 20 },
      collect: [name, 'kept', 'list'],
    })
  const [first, second] = [
    await run('.executor-results-1.xml'),
    await run('.executor-results-1.xml'),
  ]
  expect(first.stdout).toMatch(/^\.[0-9a-f]{24}\.xml\n$/)
  expect(second.stdout).not.toBe(first.stdout)
  expect([...first.collected]).toEqual([
    ['.executor-results-1.xml', first.stdout],
    ['kept', 'own\n'],
    ['list', 'list\n'],
  ])
  expect(await readdir(folder)).toEqual([])
})
