import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startModelServer } from '../../../packages/github-simulator/model/start-model-server.ts'
import { calibrateModel } from '../../../src/entry/cli/commands/calibrate.ts'
import type { Terminal } from '../../../src/entry/cli/terminal.ts'
import { answersWell } from '../../runs/calibrate/answers-well.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'calibrate-'))
  vi.stubEnv('XDG_CACHE_HOME', join(home, 'cache'))
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

/** Calibrates a scripted server from a folder that is no repository. */
async function calibrate(
  answer: (request: { readonly messages: unknown }) => string,
  flags: { readonly yes?: boolean; readonly json?: boolean } = { yes: true },
) {
  const server = await startModelServer({ script: [{ when: {}, answers: [answer] }] })
  const [said, printed]: [string[], string[]] = [[], []]
  const terminal: Terminal = {
    ...{ directory: home, environment: { OPENAI_API_KEY: 'sk-1' }, isTTY: false, live: null },
    say: (text) => said.push(text),
    print: (text) => printed.push(text),
    paint: (_, text) => text,
    redact: (text) => text,
  }
  const asks = calibrateModel({ ...flags, model: 'tiny', baseUrl: server.url }, terminal)
  const code = await asks.catch((error: unknown) => error)
  await server.close()
  const path = join(home, 'cache/roadmap-executor/calibrations.json')
  return {
    ...{ code, said: said.join('\n'), printed: printed.join('\n'), url: server.url },
    requests: server.requests.length,
    kept: existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null,
  }
}

describe('executor calibrate', () => {
  it('says what it costs, tells each answer, and keeps what it found', async () => {
    const { code, said, printed, kept, url, requests } = await calibrate(answersWell)
    expect(code).toBe(0)
    expect(said).toMatch(/^13 requests to tiny at http.*: about [\d,]+ tokens to read and 2,000 /)
    expect(said).toContain(' 1/13 ✔ whole file Python, a stub: usable')
    expect(printed).toContain(`tiny at ${url}`)
    expect(printed).toContain('edits        5 of 5 usable')
    expect(printed).toContain('Runs ask this model for edits of long files, as usual.')
    expect(kept.calibrations).toMatchObject([
      { model: 'tiny', forms: { edits: { good: 5, of: 5 } } },
    ])
    expect(requests).toBe(13)
  })

  it('says what follows where edits are seldom usable', async () => {
    const { printed } = await calibrate((request) =>
      JSON.stringify(request.messages).includes('<<<<<<< SEARCH')
        ? 'I would edit it.'
        : answersWell(request),
    )
    expect(printed).toContain('edits        0 of 5 usable')
    expect(printed).toContain('Runs ask this model for whole files, up to 3,000 tokens')
  })

  it('prints one JSON document', async () => {
    const { printed } = await calibrate(answersWell, { yes: true, json: true })
    expect(JSON.parse(printed)).toMatchObject({ model: 'tiny', json: { good: 1, of: 1 } })
  })

  it('asks nothing without a yes', async () => {
    const { code, requests, kept } = await calibrate(answersWell, {})
    expect(code).toMatchObject({ code: 'bad_usage' })
    expect([requests, kept]).toEqual([0, null])
  })
})
