import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { lintRules } from '../../../packages/roadmap/lint/rules.ts'
import { lintText } from '../../../packages/roadmap/test/lint/lint-text.ts'
import { writeCheckSarif } from '../../../src/entry/cli/commands/check.ts'
import { writeLintSarif } from '../../../src/entry/cli/commands/lint.ts'
import { checkRules, findingOn } from '../../../src/runs/check/check-rules.ts'

const text = z.strictObject({ text: z.string().min(1) })
const level = z.enum(['error', 'warning', 'note'])
const oneBased = z.int().min(1)

const location = z.strictObject({
  physicalLocation: z.strictObject({
    artifactLocation: z.strictObject({
      uri: z.string().regex(/^[\w%.~!*'()-]+(?:\/[\w%.~!*'()-]+)*$/),
      uriBaseId: z.literal('%SRCROOT%'),
    }),
    region: z.strictObject({ startLine: oneBased, startColumn: oneBased }),
  }),
})

/** What of SARIF 2.1.0 is written here, and what GitHub's code scanning asks for beyond it. */
const log = z.strictObject({
  $schema: z.literal('https://json.schemastore.org/sarif-2.1.0.json'),
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.literal('roadmap-executor'),
          semanticVersion: z.string().regex(/^\d+\.\d+\.\d+/),
          informationUri: z.url(),
          rules: z.array(
            z.strictObject({
              id: z.string().max(255),
              name: z.string().regex(/^[A-Z][A-Za-z]+$/),
              shortDescription: text,
              fullDescription: text,
              help: z.strictObject({ text: z.string().min(1), markdown: z.string().min(1) }),
              helpUri: z.url(),
              defaultConfiguration: z.strictObject({ level }),
              properties: z.strictObject({ tags: z.array(z.string()) }),
            }),
          ),
        }),
      }),
      automationDetails: z.strictObject({ id: z.string().endsWith('/') }),
      columnKind: z.literal('utf16CodeUnits'),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: z.int().nonnegative(),
          level,
          message: text,
          locations: z.array(location).max(1),
          partialFingerprints: z.record(
            z.string().regex(/^[A-Za-z]+\/v\d+$/),
            z.string().regex(/^[0-9a-f]{16}:\d+$/),
          ),
        }),
      ),
    }),
  ]),
})

function sarifOf(document: string, path = 'ROADMAP.md') {
  const findings = lintText(document)
  const written = writeLintSarif(findings, { path, text: document, version: '1.2.3' })
  const [run] = log.parse(JSON.parse(written)).runs
  return { findings, run }
}

const document =
  '- [ ] T-1: Fix things\n- [ ] T-1: Fix `src/prase.ts`\n- [ ] Fix it\n- [ ] Fix all\n'

describe('SARIF', () => {
  it('has the rules with their help, and a result for each finding that points at its rule', () => {
    const { findings, run } = sarifOf(document)
    const { rules } = run.tool.driver
    expect(rules.map(({ id }) => id)).toEqual(lintRules.map(({ id }) => id))
    expect(run.results.map(({ level: each }) => each)).toEqual(
      findings.map(({ severity }) => severity),
    )
    expect(new Set(run.results.map(({ level: each }) => each))).toEqual(
      new Set(['error', 'warning', 'note']),
    )
    for (const [index, { ruleId, ruleIndex, locations }] of run.results.entries()) {
      expect(rules[ruleIndex]?.id).toBe(ruleId)
      const { line, column } = findings[index] ?? {}
      expect(locations[0]?.physicalLocation.region).toEqual({
        startLine: line,
        startColumn: column,
      })
    }
    for (const { helpUri, id } of rules)
      expect(helpUri).toMatch(new RegExp(`/docs/lint\\.md#${id}$`))
  })

  it('has fingerprints that stay when lines move, and tell equal lines apart', () => {
    const prints = (given: string) =>
      sarifOf(given).run.results.map(({ partialFingerprints }) =>
        JSON.stringify(partialFingerprints),
      )
    expect(prints(`# New\n\n${document.replaceAll('\n', '\r\n')}`)).toEqual(prints(document))
    expect(new Set(prints(document)).size).toBe(prints(document).length)
    const twice = prints('## One\n- [ ] Fix it\n## Two\n- [ ] Fix it\n')
    expect(new Set(twice).size).toBe(2)
  })

  it('writes a path as a URI', () => {
    const { run } = sarifOf(document, 'docs/my roadmap ü#1.md')
    expect(run.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(
      'docs/my%20roadmap%20%C3%BC%231.md',
    )
  })

  it('of a good roadmap has no result', () => {
    expect(sarifOf('- [ ] Add `src/new.ts`\n').run.results).toEqual([])
  })
})

describe('SARIF of a check', () => {
  it('has all rules, and a place for each finding that has one', () => {
    const findings = [
      { ...findingOn('src/a b.js', 'syntax', 'Unexpected end.'), line: 3, column: 7 },
      findingOn('.github/ci.yml', 'protected', 'a workflow: protected'),
      findingOn('', 'not-run', 'The project has no tests.'),
    ]
    const [run] = log.parse(JSON.parse(writeCheckSarif(findings))).runs
    const { rules } = run.tool.driver
    expect(rules.map(({ id }) => id)).toEqual(Object.keys(checkRules))
    expect(
      run.results.map(({ ruleId, level: each, locations: [at] }) => [
        ruleId,
        each,
        at?.physicalLocation,
      ]),
    ).toEqual([
      ['syntax', 'error', place('src/a%20b.js', 3, 7)],
      ['protected', 'warning', place('.github/ci.yml', 1, 1)],
      ['not-run', 'error', undefined],
    ])
    expect(run.results.map(({ ruleIndex }) => rules[ruleIndex]?.id)).toEqual(
      findings.map(({ rule }) => rule),
    )
  })
})

const place = (uri: string, startLine: number, startColumn: number) => ({
  artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
  region: { startLine, startColumn },
})
