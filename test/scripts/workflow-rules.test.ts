import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, it, test } from 'vitest'
import { checkWorkflow } from '../../scripts/workflow-rules.ts'
import { changeCheckWorkflow, lintWorkflow } from '../../src/entry/init/workflow-files.ts'

const good = `name: Good
on:
  push:
concurrency: good
jobs:
  one:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@fbc6f3992d24b796d5a048ff273f7fcc4a7b6c09
      - run: echo "$REF"
        env:
          REF: \${{ github.head_ref }}
`

describe('checkWorkflow', () => {
  it('has nothing to say about a good one', () => {
    expect(checkWorkflow('a.yml', good)).toEqual([])
    for (const shown of [lintWorkflow, changeCheckWorkflow]) {
      expect(checkWorkflow('a.yml', shown)).toEqual([])
    }
  })

  test.each<[string | RegExp, string, number, string]>([
    ['on:\n  push:', 'on: [push, pull_request_target]', 2, "a stranger's code"],
    ['  push:', '  pull_request_target:', 3, "a stranger's code"],
    ['concurrency: good\n', '', 1, 'has no concurrency group'],
    ['    timeout-minutes: 5\n', '', 7, 'has no timeout-minutes'],
    ['    permissions:\n      contents: read\n', '', 7, 'has no list of permissions'],
    ['permissions:\n      contents: read', 'permissions: write-all', 7, 'no list of permissions'],
    ['checkout@', 'checkout@main-', 12, 'is not pinned to a commit'],
    [/checkout@\w+/, 'checkout@v5', 12, 'actions/checkout@v5 is not pinned to a commit'],
    [/checkout@\w+/, 'checkout', 12, 'is not pinned to a commit'],
    [/actions.checkout@\w+/, 'somebody/roadmap-executor@v0', 12, 'is not pinned to a commit'],
    ['"$REF"', '"${{ github.event.issue.title }}"', 13, 'go through env'],
    ['"$REF"', '"${{ inputs.task }}"', 13, 'go through env'],
    ['read\n    steps:\n', 'write\n    steps:\n      - run: npm ci\n', 12, 'the token can write'],
    ['read\n    steps:\n', 'write\n    steps:\n      - run: docker build .\n', 12, 'can write'],
    [good, '- a list', 1, 'is not a workflow'],
  ])('%j → %j is found at line %i: %s', (from, to, line, message) => {
    const findings = checkWorkflow(
      'a.yml',
      good.replace(from, () => to),
    )
    expect(findings).toEqual([
      {
        path: 'a.yml',
        line,
        column: expect.any(Number),
        message: expect.stringContaining(message),
      },
    ])
  })
})

describe('lint-workflows', () => {
  const project = fileURLToPath(new URL('../..', import.meta.url))

  it("asks GitHub's language service and actionlint too", async () => {
    const root = await mkdtemp(join(tmpdir(), 'workflows-'))
    try {
      await cp(join(project, 'action.yml'), join(root, 'action.yml'))
      await mkdir(join(root, '.github/workflows'), { recursive: true })
      const bad = good
        .replace('runs-on', () => 'run-on')
        .replace(
          '- uses: actions/checkout@fbc6f3992d24b796d5a048ff273f7fcc4a7b6c09',
          () => '- uses: ./\n        with: {colour: red}',
        )
      await writeFile(join(root, '.github/workflows/bad.yml'), bad)
      const { exitCode, stderr } = await execa({
        reject: false,
      })`${process.execPath} ${join(project, 'scripts/lint-workflows.ts')} ${root}`
      expect(exitCode).toBe(1)
      expect(stderr).toContain("Invalid action input 'colour'")
      expect(stderr).toContain('unexpected key "run-on" for "job" section')
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  })
})
