import { createHash } from 'node:crypto'
import { projectUrl } from '../../core/publisher.ts'
import { version } from '../version.ts'

export interface SarifRule {
  readonly id: string
  readonly severity: SarifLevel
  readonly summary: string
  readonly help: { readonly text: string; readonly markdown: string }
  /** In the project's docs. */
  readonly page: string
  readonly tag: string
}

type SarifLevel = 'error' | 'warning' | 'note'

export interface SarifResult {
  readonly rule: string
  readonly severity: SarifLevel
  readonly message: string
  /** Relative to the repository root, with slashes; empty for the whole repository. */
  readonly path: string
  /** 0 for the whole file. */
  readonly line: number
  readonly column: number
  /** What stays the same when the finding moves. Equal ones of a rule are numbered. */
  readonly mark: string
}

interface SarifRun {
  readonly command: 'lint' | 'check'
  /** The name of its fingerprints. */
  readonly marks: string
  readonly rules: readonly SarifRule[]
  readonly results: readonly SarifResult[]
  readonly by?: string
}

/**
 * Writes findings as SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), for GitHub's code scanning and
 * editors.
 */
export function writeSarif({ command, marks, rules, results, by = version }: SarifRun): string {
  const fingerprintOf = numberMarks()
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'roadmap-executor',
            semanticVersion: by,
            informationUri: projectUrl,
            rules: rules.map(describeRule),
          },
        },
        automationDetails: { id: `roadmap-executor/${command}/` },
        columnKind: 'utf16CodeUnits',
        results: results.map((result) => ({
          ruleId: result.rule,
          ruleIndex: rules.findIndex(({ id }) => id === result.rule),
          level: result.severity,
          message: { text: result.message },
          locations: result.path === '' ? [] : [locationOf(result)],
          partialFingerprints: { [marks]: fingerprintOf(result) },
        })),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

/** Code scanning shows a result only at a line: that of a whole file is its first. */
const locationOf = ({ path, line, column }: SarifResult) => ({
  physicalLocation: {
    artifactLocation: { uri: toUri(path), uriBaseId: '%SRCROOT%' },
    region: { startLine: Math.max(1, line), startColumn: Math.max(1, column) },
  },
})

function describeRule({ id, severity, summary, help, page, tag }: SarifRule) {
  return {
    id,
    name: id.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: summary },
    fullDescription: { text: help.text.split('\n', 1)[0] ?? summary },
    help,
    helpUri: `${projectUrl}/blob/main/docs/${page}`,
    defaultConfiguration: { level: severity },
    properties: { tags: [tag] },
  }
}

const toUri = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

function numberMarks(): (result: SarifResult) => string {
  const seen = new Map<string, number>()
  return ({ rule, mark }) => {
    const hash = createHash('sha256').update(`${rule}\0${mark}`).digest('hex').slice(0, 16)
    const count = (seen.get(hash) ?? 0) + 1
    seen.set(hash, count)
    return `${hash}:${count}`
  }
}
