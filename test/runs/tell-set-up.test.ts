import { expect, it } from 'vitest'
import { tellSetUp } from '../../src/runs/run-ports.ts'
import { fakePorts } from '../fakes/facts.ts'
import { createScriptedModel } from '../fakes/scripted-model.ts'
import { createScriptedSandbox } from '../fakes/scripted-sandbox.ts'

const request = {
  ...{ command: { argv: ['pip'] }, folder: '/', directory: '.', env: {}, network: true },
  ...{ mounts: [], timeoutSeconds: 1, collect: [] },
}

it('tells what is installed and how that ended, and of nothing that has no name', async () => {
  const ends = [
    { exitCode: 0, seconds: 3 },
    { exitCode: 1, seconds: 4, stderr: 'ERROR: No matching\u001b[0m distribution\n\n' },
  ]
  const sandbox = createScriptedSandbox(() => ends.shift() ?? {})
  const said: string[] = []
  const ports = tellSetUp(fakePorts({ sandbox, model: createScriptedModel([]) }), {
    noticed: (line) => said.push(line.trim()),
  })
  await ports.sandbox.prepare({ ...request, name: 'pip install' })
  await ports.sandbox.prepare({ ...request, name: 'pip install' })
  await ports.sandbox.prepare(request)
  expect(said).toEqual([
    'what the tests need is set up: pip install …',
    'pip install: done in 3 s',
    'what the tests need is set up: pip install …',
    'pip install failed after 4 s:',
    'ERROR: No matching distribution',
  ])
})
