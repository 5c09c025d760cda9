import type { z } from 'zod'
import { closestName } from '../../text/words/closest-name.ts'

/** What a schema issue means to the person who wrote the value, and what to write instead. */
export function explainIssue(
  issue: z.core.$ZodIssue,
  written: unknown,
): { readonly message: string; readonly fix: string } {
  const shown = show(written)
  switch (issue.code) {
    case 'invalid_value': {
      const allowed = issue.values.map(String)
      const meant = typeof written === 'string' ? closestName(written, allowed) : null
      return {
        message: `must be one of ${allowed.join(', ')}, not ${shown}`,
        fix: meant === null ? `Choose ${allowed.join(' or ')}.` : `Did you mean ${meant}?`,
      }
    }
    case 'invalid_type': {
      const expected = kinds[issue.expected] ?? issue.expected
      return {
        message: `must be ${expected}, not ${shown}`,
        fix: written === undefined ? 'Add it.' : `Write ${expected}.`,
      }
    }
    case 'too_small': {
      const least = `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`
      return { message: `must be ${measure(issue.origin, least)}`, fix: `Not ${shown}.` }
    }
    case 'too_big':
      return {
        message: `must be ${measure(issue.origin, `at most ${issue.maximum}`)}`,
        fix: `Not ${shown}.`,
      }
    case 'invalid_format':
      return issue.format === 'url'
        ? { message: `must be an http or https URL, not ${shown}`, fix: `For example ${sampleUrl}` }
        : { message: issue.message, fix: `Not ${shown}.` }
    default:
      return { message: issue.message, fix: 'docs/configuration.md shows what can stand here.' }
  }
}

const sampleUrl = 'https://api.openai.com/v1'

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of keys',
  record: 'a group of keys',
}

function measure(origin: string, size: string): string {
  if (origin === 'string') return `${size} characters long`
  if (origin === 'array') return `a list of ${size}`
  return size
}

/** The value as it was written, short enough for one line. */
function show(value: unknown): string {
  if (value === undefined) return 'missing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
