import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds in a page, contrast below 4.5 among it. The policy of a page stops scripts that are added to it, so
 * axe runs as the debugger's own.
 */
export async function violationsIn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate<AxeResults>(
    'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })',
  )
  expect(found.passes.map(({ id }) => id)).toContain('color-contrast')
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
  )
}
