import { forecastTasks } from '../../../src/model/budget/forecast.ts'
import type { LintFinding } from '../../../src/roadmap/lint/finding.ts'
import { lintRoadmap } from '../../../src/roadmap/lint/lint-roadmap.ts'
import { readDocument } from '../../../src/roadmap/unboxed/tick-unboxed.ts'
import { someSettings } from '../../fakes/facts.ts'

/** Lints a document as the command does; `files` are what is at the base commit. */
export function lintText(
  text: string,
  files: readonly string[] | null = ['src/parse.ts', 'src/app.ts'],
): readonly LintFinding[] {
  const { roadmap, text: boxed } = readDocument(text)
  const sizes = new Map((files ?? []).map((path) => [path, 400]))
  const settings = someSettings()
  const model = { ...settings.model, prices: { scripted: { prompt: 1, completion: 10 } } }
  const forecast = forecastTasks(roadmap.tasks, sizes, { model, strategy: 'single' }, []).byTask
  return lintRoadmap(roadmap, { text: boxed, files: files && sizes, forecast })
}

export const rulesIn = (...given: Parameters<typeof lintText>): readonly string[] => [
  ...new Set(lintText(...given).map(({ rule }) => rule)),
]
