import type { Finding } from './finding.ts'

const tell = 'src/entry/events/tell-events.ts'
const tellTest = 'test/entry/events/tell-events.test.ts'
const clean = 'src/entry/events/clean-event.ts'
const cleanTest = 'test/entry/events/clean-event.test.ts'
const lines = 'src/adapters/line-stream.ts'
const linesTest = 'test/adapters/line-stream.test.ts'

/** What the events for other programs must not do. */
export const events: readonly Finding[] = [
  {
    of: '19.4',
    name: 'an event is told before its fact is saved',
    file: tell,
    find: '          await store.save(state, entries)\n          run = state.run.id',
    replace: '          void store.save(state, entries)\n          run = state.run.id',
    test: tellTest,
    only: 'not saved yet',
  },
  {
    of: '19.4',
    name: 'a verdict is told twice',
    file: tell,
    find: 'return !isKnown',
    replace: 'return true',
    test: tellTest,
    only: 'each step',
  },
  {
    of: '19.4',
    name: 'a resumed run asks about a task that no event names',
    file: tell,
    find: 'if (attempt !== null) beginTask(attempt)',
    replace: "if (attempt !== null && node === 'build_context') beginTask(attempt)",
    test: tellTest,
    only: 'was cancelled',
  },
  {
    of: '19.4',
    name: 'an invisible character hides a secret from the mask',
    file: clean,
    find: 'clip(redact(inOneLine(text)), longestText)',
    replace: 'clip(inOneLine(redact(text)), longestText)',
    test: cleanTest,
    only: 'invisible characters',
  },
  {
    of: '19.4',
    name: 'half a secret is left where a text is cut',
    file: clean,
    find: 'clip(redact(inOneLine(text)), longestText)',
    replace: 'redact(clip(inOneLine(text), longestText))',
    test: cleanTest,
    only: 'where the text is cut',
  },
  {
    of: '19.4',
    name: 'a full disk ends the run with the events',
    file: lines,
    find: '        isBroken = true\n        broken(reasonOf(error))',
    replace: '        broken(reasonOf(error))\n        throw error',
    test: linesTest,
    only: 'full disk ends',
  },
  {
    of: '19.4',
    name: 'a reader that does not read fills the memory',
    file: lines,
    find: 'if (pipe.writableLength > mostWaiting)',
    replace: 'if (pipe.writableLength > 10 * mostWaiting)',
    test: linesTest,
    only: 'does not read',
  },
]
