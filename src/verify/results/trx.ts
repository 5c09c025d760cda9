import type { TestFailure } from '../../core/domain/test-report.ts'
import { elements } from '../../text/source/xml.ts'
import { comparedIn } from './compared.ts'
import { framesIn, toTrace } from './frames.ts'
import type { RunPlace } from './place.ts'
import { type Results, toFailure, toResults } from './results.ts'

/**
 * The TRX file of `dotnet test --logger trx` (schema vstst.xsd, `UnitTestResult`). `null` when the
 * text is none.
 */
export function parseTrx(text: string, place: RunPlace): Results | null {
  if (!text.includes('<TestRun')) return null
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures: TestFailure[] = []
  const titles: string[] = []
  let open: { name: string; message: string; stack: string } | null = null
  const finish = () => {
    if (open !== null) failures.push(describe(open, place))
    open = null
  }
  for (const { name, attributes, text: inner } of elements(text)) {
    if (name === 'UnitTestResult') {
      finish()
      const outcome = attributes.get('outcome') ?? ''
      const name = attributes.get('testName') ?? ''
      const [own = name] = name.replace(/\(.*$/s, '').split('.').slice(-1)
      if (outcome === 'Passed') {
        counts.passed += 1
        titles.push(own)
      } else if (/^(?:Failed|Error|Timeout|Aborted)$/.test(outcome)) {
        counts.failed += 1
        titles.push(own)
        open = { name, message: '', stack: '' }
      } else counts.skipped += 1
    } else if (name === 'Message' && open !== null) open.message = inner
    else if (name === 'StackTrace' && open !== null) open.stack = inner
  }
  finish()
  return toResults(counts, failures, titles)
}

/** `Acme.Tests.SumTest.Adds(n: 2)`: the class and the method, without the namespace. */
function describe(
  { name, message, stack }: Readonly<Record<'name' | 'message' | 'stack', string>>,
  place: RunPlace,
): TestFailure {
  const [, path = name, given = ''] = /^([^(]*)(.*)$/s.exec(name) ?? []
  const frames = framesIn(stack, place)
  // The test itself is the outermost frame of the project.
  const own = frames.at(-1)
  return toFailure(
    {
      test: path.split('.').slice(-2).join(' > ') + given,
      ...own,
      message,
      ...comparedIn(message),
      errorType: errorType(message),
      trace: toTrace(frames),
    },
    place,
  )
}

/** `System.ArgumentException : bad`, `Assert.Equal() Failure`, `Assert.AreEqual failed.` */
function errorType(message: string): string | null {
  if (/^\s*(?:Assert\.|Shouldly\.|Expected )/.test(message)) return 'AssertionError'
  return /(?:^|\.)(\w{1,80}Exception) ?:/.exec(message.trim().slice(0, 400))?.[1] ?? null
}
