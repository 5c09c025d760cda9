import { describe, expect, it } from 'vitest'
import { scoreJsonFiles } from '../../scores/json-files.ts'
import { scriptDeviations, yamlDeviations } from '../../scores/known-deviations.ts'
import { scoreMarkdownExamples } from '../../scores/markdown-examples.ts'
import { scoreNaughtyStrings } from '../../scores/naughty-strings.ts'
import { missed } from '../../scores/score.ts'
import { judgeScript, scoreScriptFiles } from '../../scores/script-files.ts'
import { judgeConfiguration, judgeYaml, scoreYamlFiles, yamlCase } from '../../scores/yaml-files.ts'

describe('the bounds hold', () => {
  it.each([
    ['test262-parser-tests', scoreScriptFiles],
    ['JSONTestSuite', scoreJsonFiles],
    ['yaml-test-suite', scoreYamlFiles],
    ['every ninth example of CommonMark', () => scoreMarkdownExamples(9)],
    ['every thirtieth naughty string', () => scoreNaughtyStrings(30)],
  ])('on %s', async (_, score) => expect(missed(await score())).toEqual([]))
})

// Where a case is judged as the corpus says, its entry has gone stale and the bound is too wide.
describe('a known deviation is one still', () => {
  const scripts = Object.entries(scriptDeviations).flatMap(([folder, reasons]) =>
    Object.values<readonly string[]>(reasons)
      .flat()
      .map((name) => [folder as keyof typeof scriptDeviations, name] as const),
  )
  it.each(scripts)('%s/%s', async (folder, name) => {
    expect(await judgeScript(folder, name)).toBe('wrong')
  })

  const names = (reasons: Readonly<Record<string, readonly string[]>>) =>
    Object.values(reasons).flat()
  const { configuration, ...validity } = yamlDeviations
  it.each(Object.values(validity).flatMap(names))('YAML %s', async (name) => {
    expect(await judgeYaml(yamlCase(name))).toBe('wrong')
  })
  it.each(names(configuration))('configuration %s', (name) => {
    expect(judgeConfiguration(yamlCase(name))).toBe('wrong')
  })
})
