import { watch } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ActionRun, runAction } from './run-action.ts'

const manifest = `
name: Sample
description: Sample
inputs:
  greeting: { description: A, default: hello }
  github-token: { description: B, default: '\${{ github.token }}' }
  given: { description: C, default: no }
  none: { description: D }
runs: { using: node24, main: main.mjs }
`

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sample-action-'))
  await writeFile(join(folder, 'action.yml'), manifest)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function run(program: string, more: Partial<ActionRun> = {}) {
  await writeFile(join(folder, 'main.mjs'), program)
  return runAction({
    event: 'schedule',
    payload: { schedule: 'nightly' },
    inputs: { given: 'yes' },
    workspace: folder,
    repository: 'o/r',
    sha: 'a'.repeat(40),
    ref: 'refs/heads/main',
    action: folder,
    ...more,
  })
}

describe('runAction', () => {
  it('gives an action what the runner gives', async () => {
    const { stdout } = await run(
      `import { readFileSync } from 'node:fs'
       const { env } = process
       console.log(JSON.stringify({
         inputs: Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('INPUT_'))),
         event: [env.GITHUB_EVENT_NAME, JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'))],
         place: [env.GITHUB_REPOSITORY, env.GITHUB_REF_NAME, env.GITHUB_API_URL, process.cwd() === env.GITHUB_WORKSPACE],
         home: env.HOME === env.RUNNER_TEMP,
         leaked: env.VITEST ?? null,
         extra: env.EXTRA,
       }))`,
      { env: { EXTRA: 'of the job', GITHUB_TOKEN: '$& t' }, apiUrl: 'http://127.0.0.1:1' },
    )
    expect(JSON.parse(stdout)).toEqual({
      inputs: {
        INPUT_GREETING: 'hello',
        'INPUT_GITHUB-TOKEN': '$& t',
        INPUT_GIVEN: 'yes',
        INPUT_NONE: '',
      },
      event: ['schedule', { schedule: 'nightly' }],
      place: ['o/r', 'main', 'http://127.0.0.1:1', true],
      home: true,
      leaked: null,
      extra: 'of the job',
    })
  })

  it('takes what an action leaves', async () => {
    const result = await run(
      `import { appendFileSync } from 'node:fs'
       appendFileSync(process.env.GITHUB_OUTPUT, 'a=1=2\\nlong<<END\\nline\\nb=3\\nEND\\nempty<<END\\n\\nEND\\nc=\\n')
       appendFileSync(process.env.GITHUB_STEP_SUMMARY, '# Report')
       console.log('::add-mask::secret%25\\n::warning file=a.ts,line=1::two%0Alines')
       console.log('::stop-commands::x.1\\n::error::inert\\n::x.1::\\n::error::real')
       console.error('to stderr')
       process.exitCode = 3`,
    )
    expect(result).toMatchObject({
      exitCode: 3,
      outputs: { a: '1=2', long: 'line\nb=3', empty: '', c: '' },
      summary: '# Report',
      masks: ['secret%'],
      annotations: [
        { level: 'warning', message: 'two\nlines' },
        { level: 'error', message: 'real' },
      ],
      stderr: 'to stderr\n',
    })
    expect(Object.keys(result.outputs)).toHaveLength(4)
  })

  it('cancels with SIGINT first', async () => {
    const cancel = new AbortController()
    const watcher = watch(folder, (_, name) => name === 'started' && cancel.abort())
    const running = run(
      `import { appendFileSync } from 'node:fs'
       process.on('SIGINT', () => { console.log('interrupted'); process.exit(4) })
       setInterval(() => {}, 1000)
       appendFileSync('started', 'x')`,
      { signal: cancel.signal },
    ).finally(() => watcher.close())
    expect(await running).toMatchObject({ exitCode: 4, stdout: 'interrupted\n' })
  })
})
