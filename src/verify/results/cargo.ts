import { beforeFrames, framesIn, toTrace } from './frames.ts'
import type { RunPlace } from './place.ts'
import { type Results, toFailure, toResults } from './results.ts'

const summary = /^test result: \w+\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored/gm
const longestMessage = 12

/** `cargo test`: one summary for each test program, the failures' output between them. */
export function parseCargo(text: string, place: RunPlace): Results | null {
  const programs = [...text.matchAll(summary)]
  if (programs.length === 0) return null
  const sum = (group: number) => programs.reduce((total, match) => total + Number(match[group]), 0)
  const red = [...text.matchAll(/^test (\S.{0,400}?) \.\.\. FAILED$/gm)]
  const outputs = outputOfTests(text)
  const failures = red.map(([, name = '']) => {
    const lines = (outputs.get(name) ?? '').slice(0, 4000).split('\n').slice(1, longestMessage)
    const message = beforeFrames(lines, /^(?:stack backtrace:|note: |----)/)
    const frames = framesIn(message, place)
    return toFailure(
      {
        test: name.replaceAll('::', ' > '),
        ...frames[0],
        message,
        expected: /^\s*right: (.+)$/m.exec(message)?.[1] ?? null,
        actual: /^\s*left: (.+)$/m.exec(message)?.[1] ?? null,
        errorType: message.includes(' panicked at ') ? 'panic' : null,
        trace: toTrace(frames),
      },
      place,
    )
  })
  const ran = text.matchAll(
    /^test (?:\S{0,400}::)?(\w+)(?: - should panic)? \.\.\. (?:ok|FAILED)$/gm,
  )
  const titles = [...ran].map(([, name = '']) => name)
  return toResults({ passed: sum(1), failed: sum(2), skipped: sum(3) }, failures, titles)
}

/** What each test printed, by its name; of programs that share a name, the first. */
function outputOfTests(text: string): ReadonlyMap<string, string> {
  const [, ...parts] = text.split(/^---- (\S.{0,400}?) stdout ----$/m)
  const found = new Map<string, string>()
  for (let index = 0; index < parts.length; index += 2) {
    const [name = '', said = ''] = parts.slice(index, index + 2)
    if (!found.has(name)) found.set(name, said)
  }
  return found
}
