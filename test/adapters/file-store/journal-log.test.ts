import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Journals } from '../../../src/adapters/file-store/journal-log.ts'
import type { JournalEntry } from '../../../src/core/domain/journal-event.ts'
import type { NodeName } from '../../../src/core/domain/steps.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'

const run = 'run-20260101-000000-abc'
const clock = createFakeClock()

const step = (node: NodeName): JournalEntry => ({
  kind: 'stepped',
  node,
  outcome: 'picked',
  task: 'T-1',
  attempt: 1,
  seconds: 0.5,
  usage: noUsage,
})

const answered = (call: number, text: string, exact = true): JournalEntry => ({
  kind: 'answered',
  call,
  hash: `hash of ${call}`,
  purpose: 'draft',
  model: 'scripted',
  task: 'T-1',
  attempt: 1,
  text,
  finish: 'stop',
  usage: noUsage,
  seconds: 1,
  exact,
})

let folder: string
const open = () => new Journals(folder, clock)
const path = () => join(folder, `${run}.jsonl`)
const nodesOf = async () =>
  (await open().read(run)).map((event) => (event.kind === 'stepped' ? event.node : event.kind))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a journal', () => {
  it('numbers what happened, across processes, whatever the clock says', async () => {
    const first = open()
    await first.append(run, [step('pick_task'), step('build_context')])
    clock.advance(-86_400)
    await open().append(run, [step('execute_task')])
    const events = await open().read(run)
    expect(events.map(({ seq }) => seq)).toEqual([0, 1, 2])
    expect(await nodesOf()).toEqual(['pick_task', 'build_context', 'execute_task'])
    expect(await open().list()).toEqual([run])
  })

  it('keeps answers by call and hash, and none that had to be masked', async () => {
    await open().append(run, [answered(0, 'zero'), answered(1, '***', false)])
    const journals = open()
    expect(await journals.answer(run, 0, 'hash of 0')).toMatchObject({ text: 'zero' })
    expect(await journals.answer(run, 0, 'hash of 1')).toBeNull()
    expect(await journals.answer(run, 1, 'hash of 1')).toBeNull()
    expect(await journals.answer('run-other', 0, 'hash of 0')).toBeNull()
    await journals.append(run, [answered(2, 'build_context')])
    expect(await journals.answer(run, 2, 'hash of 2')).toMatchObject({ text: 'build_context' })
  })

  it('keeps silences by call and hash', async () => {
    const usage = { ...noUsage, requests: 1 }
    const asked = { call: 1, hash: 'h', purpose: 'plan', model: 'm', task: null, attempt: null }
    await open().append(run, [
      { kind: 'silent', ...asked, seconds: 60, reason: 'no data for 60 seconds', usage },
    ])
    const journals = open()
    expect(await journals.answer(run, 1, 'h')).toMatchObject({ kind: 'silent', usage })
    expect(await journals.answer(run, 0, 'h')).toBeNull()
    expect(await journals.answer(run, 1, 'other')).toBeNull()
  })

  it('loses no line but the torn one, wherever a kill cuts it', async () => {
    await open().append(run, [step('pick_task'), step('build_context')])
    const whole = readFileSync(path(), 'utf8')
    const second = whole.indexOf('\n') + 1
    for (let end = 0; end < whole.length; end += 3) {
      writeFileSync(path(), whole.slice(0, end))
      await open().append(run, [step('checkpoint')])
      const known =
        end < second - 1
          ? []
          : end < whole.length - 1
            ? ['pick_task']
            : ['pick_task', 'build_context']
      expect(await nodesOf(), `cut at ${end}`).toEqual([...known, 'checkpoint'])
    }
  })

  it.each([
    ['no JSON', 'garbage'],
    ['another shape', '{"seq":9,"kind":"stepped"}'],
    ['an unknown kind', `{"seq":9,"at":"","run":"${run}","kind":"hacked"}`],
    ['a number below zero', `{"seq":-1,"at":"","run":"${run}","kind":"reopened","task":"T-1"}`],
    ['binary', '\0\uFFFD\0'],
  ])('passes over %s', async (_, line) => {
    await open().append(run, [step('pick_task')])
    appendFileSync(path(), `${line}\n`)
    await open().append(run, [step('build_context')])
    expect(await nodesOf()).toEqual(['pick_task', 'build_context'])
  })

  it('follows no link and takes no name that leads elsewhere', async () => {
    const elsewhere = join(folder, 'elsewhere')
    writeFileSync(elsewhere, '')
    symlinkSync(elsewhere, path())
    await expect(open().append(run, [step('pick_task')])).rejects.toThrow(/ELOOP/)
    expect(readFileSync(elsewhere, 'utf8')).toBe('')
    for (const name of ['../escape', 'a/b', '', '.hidden']) {
      await expect(open().append(name, [step('pick_task')])).rejects.toThrow(/not a run/)
    }
  })
})
