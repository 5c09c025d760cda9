import { createHash } from 'node:crypto'
import { projectUrl } from '../../core/publisher.ts'
import { fenced } from '../../text/markdown/neutralise.ts'
import type { LintFinding } from './finding.ts'
import { type LintRule, lintRules, visibleExample } from './rules.ts'

/**
 * Findings as SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), for GitHub's code
 * scanning and editors. `path` is from the root of the repository, with slashes.
 */
export function writeSarif(
  findings: readonly LintFinding[],
  {
    path,
    text,
    version,
  }: { readonly path: string; readonly text: string; readonly version: string },
): string {
  const fingerprintOf = fingerprints(text)
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'roadmap-executor',
            semanticVersion: version,
            informationUri: projectUrl,
            rules: lintRules.map(describeRule),
          },
        },
        automationDetails: { id: 'roadmap-executor/lint/' },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: lintRules.findIndex(({ id }) => id === finding.rule),
          level: finding.severity,
          message: { text: `${finding.message} ${finding.fix}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: toUri(path), uriBaseId: '%SRCROOT%' },
                region: { startLine: finding.line, startColumn: finding.column },
              },
            },
          ],
          partialFingerprints: { 'roadmapLine/v1': fingerprintOf(finding) },
        })),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function describeRule({ id, severity, summary, help, bad, good }: LintRule) {
  const example = (text: string) => fenced(visibleExample(text), 'markdown')
  return {
    id,
    name: id.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: summary },
    fullDescription: { text: help },
    help: {
      text: `${help}\n\nInstead of:\n${visibleExample(bad)}\n\nWrite:\n${good}`,
      markdown: `${help}\n\nInstead of:\n\n${example(bad)}\n\nWrite:\n\n${example(good)}`,
    },
    helpUri: `${projectUrl}/blob/main/docs/lint.md#${id}`,
    defaultConfiguration: { level: severity },
    properties: { tags: ['roadmap'] },
  }
}

const toUri = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/**
 * What stays when lines move: the rule, and the words of the line. The second of two equal ones
 * counts on.
 */
function fingerprints(text: string): (finding: LintFinding) => string {
  const lines = text.split(/\r\n|\n|\r/)
  const seen = new Map<string, number>()
  return ({ rule, line }) => {
    const words = (lines[line - 1] ?? '').replace(/\s+/g, ' ').trim()
    const hash = createHash('sha256').update(`${rule}\0${words}`).digest('hex').slice(0, 16)
    const count = (seen.get(hash) ?? 0) + 1
    seen.set(hash, count)
    return `${hash}:${count}`
  }
}
