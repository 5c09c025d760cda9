import { z } from 'zod'
import type { AdoptedIssue } from '../../core/domain/answer.ts'

/** Where an adopted issue is parked. */
export const parkedNameOf = (number: number): string => `issue-${number}`

const shape = z.object({
  version: z.literal(1),
  title: z.string(),
  body: z.string(),
  by: z.string(),
  at: z.string(),
})

/** An issue as it was adopted, as text to keep in the repository. */
export function writeAdopted({ title, body, by, at }: AdoptedIssue): string {
  return `${JSON.stringify({ version: 1, title, body, by, at })}\n`
}

/** The adopted issues among what is parked, lowest number first; what is damaged is none. */
export function readAdopted(parked: ReadonlyMap<string, string>): readonly AdoptedIssue[] {
  const issues = [...parked].flatMap(([name, text]) => {
    const number = Number(/^issue-([1-9]\d{0,9})$/.exec(name)?.[1])
    const read = Number.isNaN(number) ? null : shape.safeParse(parseJson(text))
    if (!read?.success) return []
    const { title, body, by, at } = read.data
    return [{ number, title, body, by, at }]
  })
  return issues.sort((a, b) => a.number - b.number)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
