import type { LintFinding } from '../../lint/finding.ts'
import { lintRoadmap } from '../../lint/lint-roadmap.ts'
import { readDocument } from '../../unboxed/tick-unboxed.ts'

/** Lints a document as the command does; `files` are what is at the base commit. */
export function lintText(
  text: string,
  files: readonly string[] | null = ['src/parse.ts', 'src/app.ts'],
): readonly LintFinding[] {
  const { roadmap, text: boxed } = readDocument(text)
  const sizes = new Map((files ?? []).map((path) => [path, 400]))
  const forecast = new Map(roadmap.tasks.map(({ id }) => [id, { tokens: 4_000, dollars: 0.02 }]))
  return lintRoadmap(roadmap, { text: boxed, files: files && sizes, forecast })
}

export const rulesIn = (...given: Parameters<typeof lintText>): readonly string[] => [
  ...new Set(lintText(...given).map(({ rule }) => rule)),
]
