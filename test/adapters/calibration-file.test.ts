import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  findCalibration,
  keepCalibration,
  measuredFormsAt,
} from '../../src/adapters/calibration-file.ts'
import type { Calibration } from '../../src/core/domain/calibration.ts'

const none = { good: 0, of: 0 }

const found: Calibration = {
  ...{ model: 'qwen', baseUrl: 'http://127.0.0.1:8080/v1', at: '2026-11-28T10:00:00.000Z' },
  forms: { whole: { good: 5, of: 5 }, edits: { good: 1, of: 5 } },
  ...{ echoes: none, claims: none, json: none, tools: none, repairs: none },
}

function makePlace() {
  const root = mkdtempSync(join(tmpdir(), 'calibrations-'))
  const directory = join(root, 'cache')
  return {
    directory,
    path: join(directory, 'calibrations.json'),
    find: (name = found.model, baseUrl = found.baseUrl) =>
      findCalibration(directory, { name, baseUrl }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

describe('the file of calibrations', () => {
  it('keeps one for each model and address, the newest', async () => {
    using place = makePlace()
    expect(await place.find()).toBeNull()
    await keepCalibration(place.directory, { ...found, forms: {} })
    await keepCalibration(place.directory, { ...found, model: 'other' })
    await keepCalibration(place.directory, found)
    expect(await place.find()).toEqual(found)
    expect(await measuredFormsAt(place.directory, found.baseUrl)).toEqual({
      qwen: found.forms,
      other: found.forms,
    })
    expect(readdirSync(place.directory)).toEqual(['calibrations.json'])
  })

  it.each([
    ['another model', 'qwen:7b', found.baseUrl, null],
    ['another address', 'qwen', 'http://127.0.0.1:8081/v1', null],
    ['the same address with a slash', 'qwen', `${found.baseUrl}/`, found],
    ['the same address with a password', 'qwen', 'http://me:secret@127.0.0.1:8080/v1', found],
    ['a model named like a field of objects', '__proto__', found.baseUrl, null],
  ])('answers for %s', async (_, name, baseUrl, expected) => {
    using place = makePlace()
    await keepCalibration(place.directory, found)
    expect(await place.find(name, baseUrl)).toEqual(expected)
  })

  const file = (...calibrations: readonly unknown[]) => JSON.stringify({ version: 1, calibrations })

  it.each([
    ['no JSON', '{"version": 1, "calib'],
    ['another version', JSON.stringify({ version: 2, calibrations: [found] })],
    ['a list', '[]'],
    ['null', 'null'],
    ['more than it ever is', `${file(found)}${' '.repeat(300_000)}`],
    ['rates below zero', file({ ...found, forms: { edits: { good: -1, of: 5 } } })],
    ['rates beyond all requests', file({ ...found, echoes: { good: 1e9, of: 1e9 } })],
    ['no rates', file({ ...found, tools: null })],
    ['a form that does not exist', file({ ...found, forms: { sonnet: none } })],
    ['a date in words', file({ ...found, at: 'yesterday' })],
  ])('a file with %s is as good as none, and is replaced', async (_, text) => {
    using place = makePlace()
    await keepCalibration(place.directory, found)
    writeFileSync(place.path, text)
    expect(await place.find()).toBeNull()
    expect(await measuredFormsAt(place.directory, found.baseUrl)).toEqual({})
    await keepCalibration(place.directory, found)
    expect(await place.find()).toEqual(found)
  })

  it('a damaged entry takes no other with it', async () => {
    using place = makePlace()
    await keepCalibration(place.directory, found)
    writeFileSync(place.path, file({ ...found, at: 1 }, found))
    expect(await place.find()).toEqual(found)
  })

  it('follows no link', async () => {
    using place = makePlace()
    await keepCalibration(place.directory, found)
    const elsewhere = join(place.directory, 'elsewhere.json')
    writeFileSync(elsewhere, readFileSync(place.path))
    rmSync(place.path)
    symlinkSync(elsewhere, place.path)
    expect(await place.find()).toBeNull()
    await keepCalibration(place.directory, { ...found, model: 'other' })
    expect(JSON.parse(readFileSync(elsewhere, 'utf8')).calibrations).toHaveLength(1)
  })
})
