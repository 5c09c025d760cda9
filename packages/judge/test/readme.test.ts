import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openTree } from '../../change/tree.ts'
import { createWasmSyntaxChecker } from '../../source/wasm-syntax-checker.ts'
import * as judge from '../judge.ts'
import type { JudgePorts } from '../judging.ts'
import { plainTrees } from './plain-trees.ts'
import { plainVerify, realSandbox } from './temporary-project.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []

const before = 'export const sum = (a, b) => a - b\n'
const test = `import { strictEqual } from 'node:assert'
import { test } from 'node:test'
import { sum } from './sum.js'
test('adds', () => strictEqual(sum(2, 3), 5))
`
const task = { title: 'Add', details: '', files: [], accept: [], verify: null }

async function portsFor(): Promise<JudgePorts> {
  const texts = { 'package.json': '{ "type": "module" }\n', 'sum.js': before, 'sum.test.js': test }
  return {
    workspace: await plainTrees(texts),
    sandbox: await realSandbox(),
    syntax: createWasmSyntaxChecker(),
    clock: { sleep: (seconds) => setTimeout(seconds * 1000) },
    random: {
      hex: (length) => randomBytes(length).toString('hex').slice(0, length),
      fraction: Math.random,
    },
    settings: {
      ...{ roadmap: 'ROADMAP.md', protectedPaths: [], sandbox: { network: false } },
      verify: { ...plainVerify, testCommand: 'node --test' },
    },
  }
}

const names = [...Object.keys(judge), 'openTree', 'ports', 'task', 'before', 'content']
const AsyncFunction = (async () => {}).constructor as new (
  ...words: readonly string[]
) => (...given: readonly unknown[]) => Promise<Record<string, never>>
const shown = '{ problems, operations, result, evidence: receipt.evidence }'
const play = new AsyncFunction(...names, `${stripTypeScriptTypes(example)}\nreturn ${shown}`)

it.each([
  ['a right change', 'a + b', 'passed', 'proven'],
  ['a wrong one', 'a * b', 'unverified', 'unverified'],
])('the example of the README judges %s', async (_, code, result, evidence) => {
  const content = before.replace('a - b', code)
  const given = [...Object.values(judge), openTree, await portsFor(), task, before, content]
  expect(await play(...given)).toEqual({ problems: [], operations: [], result, evidence })
})
