import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type JobRunner, openRunner } from '../../../src/entry/action/runner.ts'
import { openLiveLine } from '../../../src/entry/cli/live-line.ts'
import { openTerminal, type Terminal } from '../../../src/entry/cli/terminal.ts'
import { allSpellings, canary, findCanaries, longCanary, shapedCanary } from './canary.ts'

const text = `${allSpellings} ${shapedCanary}`
/** Clears the screen, sets a title, hides, goes back, turns the order, and all that in one byte. */
const hostile = '\u001B[2J\u001B]0;t\u0007\u001B[8m\u001B[31m\r\b\u202E\u009B2J\u007F'
let folder: string
let written: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outgoing-'))
  written = []
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      written.push(String(chunk))
      return true
    })
  }
  vi.stubEnv('SOME_TOKEN', longCanary)
  vi.stubEnv('INPUT_API-KEY', canary)
  for (const name of ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY']) {
    await writeFile(join(folder, name), '')
    vi.stubEnv(name, join(folder, name))
  }
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

/** Every way to say something; one that is new does not compile before it is in here. */
const toRunner: Readonly<Record<keyof JobRunner, ((runner: JobRunner) => unknown) | null>> = {
  input: null,
  // The runner is told the secret itself, so that it hides it, too.
  keepSecret: null,
  say: ({ say }) => say(text),
  annotate: ({ annotate }) => {
    const place = { title: text, file: text, startLine: 1, startColumn: 1 }
    for (const level of ['error', 'warning', 'notice'] as const) annotate(level, text, place)
  },
  fail: ({ fail }) => fail(text),
  output: ({ output }) => {
    output('plain', text)
    output('data', [{ [text]: text }])
  },
  summarise: ({ summarise }) => summarise(text),
}

const toTerminal: Readonly<Record<keyof Terminal, ((terminal: Terminal) => unknown) | null>> = {
  directory: null,
  environment: null,
  isTTY: null,
  say: ({ say, paint }) => say(`${paint('red', 'x')}${text}`),
  print: ({ print }) => print(text),
  // Only colours what is said afterwards.
  paint: null,
  redact: ({ redact }) => written.push(redact(text)),
  live({ redact }) {
    const stream = { columns: 80, write: (line: string) => written.push(line) > 0 }
    openLiveLine(stream, redact).show(text)
  },
}

it.each(['say', 'print', 'redact'] as const)('terminal.%s does nothing in a terminal', (name) => {
  const terminal = openTerminal()
  toTerminal[name]?.({ ...terminal, [name]: (said: string) => terminal[name](said + hostile) })
  expect(written.join('')).toContain('\\u001b[2J')
  expect(written.join('')).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202E]/)
})

it('terminal.print writes JSON that says the same', () => {
  openTerminal().print(JSON.stringify({ title: hostile }))
  expect(JSON.parse(written.join(''))).toEqual({ title: hostile })
})

const ways: readonly (readonly [string, () => unknown])[] = [
  ...Object.entries(toRunner).flatMap(([name, say]) =>
    say === null ? [] : [[`runner.${name}`, () => say(openRunner())] as const],
  ),
  ...Object.entries(toTerminal).flatMap(([name, say]) =>
    say === null ? [] : [[`terminal.${name}`, () => say(openTerminal())] as const],
  ),
]

describe.each(ways)('%s', (_name, say) => {
  it('gives away no secret', async () => {
    await say()
    const files = await Promise.all(
      ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'].map((name) => readFile(join(folder, name), 'utf8')),
    )
    const all = [...written, ...files].join('\n')
    expect(all).toContain('***')
    // The runner's commands are written with these escaped.
    expect(findCanaries(all.replaceAll('%25', '%'))).toEqual([])
  })
})

it('what is an output of the Action stays JSON', async () => {
  openRunner().output('data', { text: `"${canary}"`, count: 2 })
  const output = await readFile(join(folder, 'GITHUB_OUTPUT'), 'utf8')
  expect(output).toContain('{"text":"\\"***\\"","count":2}')
})
