import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ActionBench, apiKey, openActionBench, type WorkflowRun } from './action-bench.ts'
import { edit, file, once, withRoadmap } from './toolbox.ts'

const jobSecret = 'canary-of-another-secret-of-the-job'
const shaped = `ghp_${'Ab1'.repeat(12)}`
const token = 'actions-token'
const basic = Buffer.from(`x-access-token:${token}`).toString('base64')

const reversed = (text: string): string => JSON.stringify([...text].reverse().join(''))

/** A test that tells all it can find out, and what it knows: a key in many spellings, and workflow commands. */
const talkative = `import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const turned = (text) => [...text].reverse().join('')
const known = [turned(${reversed(apiKey)}), turned(${reversed(token)}), turned(${reversed(shaped)})]
const found = []
for (let folder = process.cwd(); ; folder = dirname(folder)) {
  for (const name of ['.git/config', '.git/FETCH_HEAD']) {
    try {
      found.push(readFileSync(join(folder, name), 'utf8'))
    } catch {}
  }
  if (folder === dirname(folder)) break
}
const all = [
  ...known,
  ...known.map((text) => Buffer.from(text).toString('base64')),
  ...known.map((text) => JSON.stringify({ text })),
  JSON.stringify(process.env),
  ...found,
].join('\\n')

console.log('\\n::error::owned by the tests\\n::add-mask::e\\n::stop-commands::owned\\n##[error]owned')
console.log('::set-output name=owned::yes')
console.log(all)
console.error(all)
test('tells what it knows', () => {
  throw new Error('MARKER-OF-THE-OUTPUT\\n::error::owned by a message\\n' + all)
})
`

let bench: ActionBench
let run: WorkflowRun
beforeAll(async () => {
  bench = await openActionBench(withRoadmap('T-1: Talk about what you know'), [
    once(
      'T-1',
      file('src/talk.js', 'export const talk = 1\n') + file('test/talk.test.js', talkative),
    ),
    {
      when: { purpose: 'repair_test' },
      answers: [2, 3].map((n) =>
        edit('src/talk.js', `export const talk = ${n - 1}`, `export const talk = ${n}`),
      ),
    },
    {
      when: { purpose: 'classify' },
      answers: [
        JSON.stringify({
          reason: 'unknown',
          explanation: `It wants ${apiKey} and ${shaped}.\n::error::owned by the model`,
        }),
      ],
    },
  ])
  run = await bench.run({ env: { OTHER_SECRET: jobSecret, OPENAI_API_KEY: apiKey } })
})
afterAll(() => bench[Symbol.asyncDispose]())

/** Everything that leaves the machine, by where it goes. */
async function outgoing(): Promise<Readonly<Record<string, string>>> {
  await bench.message('agent/T-1')
  return {
    log: run.stdout.replaceAll(/^::add-mask::.*$/gm, '') + run.stderr,
    summary: run.summary,
    outputs: JSON.stringify(run.outputs),
    pulls: JSON.stringify(await bench.pulls()),
    comments: JSON.stringify(await bench.comments()),
    branch: await bench.git('log', '-p', '--format=%an %ae %B', 'origin/main..origin/agent/T-1'),
    reports: Object.entries(run.left)
      .filter(([name]) => /^(report|todos|attempts)/.test(name))
      .map(([, text]) => text)
      .join('\n'),
    prompts: JSON.stringify(bench.model.requests),
  }
}

describe('what tests and models say', () => {
  it('is there to be read', async () => {
    const { log, pulls, summary } = await outgoing()
    expect(run.exitCode).toBe(1)
    expect(log).toContain('MARKER-OF-THE-OUTPUT')
    expect(pulls).toContain('MARKER-OF-THE-OUTPUT')
    expect(summary).toContain('It wants ***')
  })

  it.each([
    ["another secret of the job's environment", jobSecret],
    ['the key', apiKey],
    ['the token', token],
    ['what is shaped like a token', shaped],
    ['the credentials of the checkout', basic],
    ['the key in base64', Buffer.from(apiKey).toString('base64')],
  ])('never has %s in it', async (_, secret) => {
    const places = Object.entries(await outgoing())
    expect(places.filter(([, text]) => text.includes(secret)).map(([place]) => place)).toEqual([])
  })

  it('commands the runner nothing', () => {
    expect(run.masks.toSorted()).toEqual([token, apiKey].toSorted())
    const levels = run.annotations.map(({ level, message }) => `${level}: ${message}`)
    expect(levels).toEqual(['error: Some tasks could not be done; see the report.'])
    expect(run.stdout).not.toMatch(/^\s*::(?!add-mask|error)/m)
    expect(run.stdout).not.toContain('##[')
    expect(Object.keys(run.outputs).toSorted()).toEqual(
      [
        ...['completed', 'cost', 'deferred', 'failed', 'pull-requests'],
        ...['ready-tasks', 'report', 'run-id', 'state', 'tokens', 'unverified', 'waiting'],
      ].toSorted(),
    )
  })
})
