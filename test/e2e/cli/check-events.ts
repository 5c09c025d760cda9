import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { stripHidden } from '../../../packages/text/hidden/hidden-text.ts'
import { readStored } from '../../../packages/text/stored.ts'
import { readJournalLine } from '../../../src/core/domain/journal-event.ts'
import { runStateSchema } from '../../../src/core/domain/run-state.ts'
import { cleanEvent } from '../../../src/entry/events/clean-event.ts'
import { eventSchema, type RunEvent } from '../../../src/entry/events/event-schema.ts'
import { readEntry } from '../../../src/entry/events/read-entry.ts'
import { someSettings } from '../../fakes/facts.ts'

const mostCharacters = 64_000

/** The events in these lines: each is of the published schema, with nothing that the schema does not name. */
export function readEvents(lines: string): readonly RunEvent[] {
  const events = lines.split('\n').filter((line) => line !== '')
  return events.map((line) => {
    ok(line.length <= mostCharacters, `a line has ${line.length} characters`)
    strictEqual(stripHidden(line, 'plain').text, line)
    const given: unknown = JSON.parse(line)
    const event = eventSchema.parse(given)
    deepStrictEqual(event, given)
    return event
  })
}

/** The events of what a run left in `.executor`: each is of the published schema. */
export function checkLeftEvents(left: Readonly<Record<string, string>>): void {
  const state = readStored(runStateSchema, left['state.json'] ?? 'null')
  const journals = Object.entries(left).filter(([path]) => /^journal\/.*\.jsonl$/.test(path))
  for (const [, text] of journals) {
    const entries = text.split('\n').flatMap((line) => readJournalLine(line) ?? [])
    const lines = entries.flatMap((entry) => {
      const own = state?.run.id === entry.run ? state : null
      const { at, run } = entry
      return readEntry(entry, own, someSettings()).map((told) =>
        JSON.stringify(cleanEvent({ v: 1, at, run, ...told }, (words) => words)),
      )
    })
    readEvents(lines.join('\n'))
  }
}

/** The events that one start of the program left: in an order that another program can rely on. */
export function checkEvents(
  file: string,
  { code, stderr }: { readonly code: number; readonly stderr: string },
): void {
  if (!existsSync(file)) return
  const text = readFileSync(file, 'utf8')
  ok(text === '' || text.endsWith('\n'), 'the last line is whole')
  const events = readEvents(text)
  ok(events.length > 0 || ![0, 1, 3].includes(code), 'a run that ended has events')
  if (events.length === 0) return
  const types = events.map(({ type }) => type)
  strictEqual(types.indexOf('run_started'), 0, types.join(' '))
  strictEqual(new Set(events.map(({ run }) => run)).size, 1)
  const ends = events.flatMap((event) => (event.type === 'run_ended' ? [event] : []))
  // At the second signal, the program leaves at once.
  const isKilled = code === -1 || stderr.includes('Press Ctrl-C again')
  if (!isKilled || ends.length > 0) {
    deepStrictEqual([ends.length, types.at(-1)], [1, 'run_ended'], types.join(' '))
  }
  if (ends.length > 0) strictEqual(ends[0]?.exitCode, code)
  const begun = new Set<string>()
  for (const event of events) {
    if (event.type === 'task_started') begun.add(`${event.task} ${event.attempt}`)
    if (event.type !== 'model_call' || event.task === null) continue
    ok(begun.has(`${event.task} ${event.attempt}`), `${event.task} is asked about before it starts`)
  }
}
