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

/** A job whose token can write, with this first step. */
const writing = (step: string, job = '') =>
  good.replace('contents: read\n    steps:\n', () => `contents: write\n${job}    steps:\n${step}`)

const running = (...lines: readonly string[]) =>
  writing(`      - run: |\n${lines.map((line) => `          ${line}\n`).join('')}`)

const commit = 'fbc6f3992d24b796d5a048ff273f7fcc4a7b6c09'

describe('a job whose token can write', () => {
  it.each([
    ['installs', running('npm ci')],
    ['runs a script of a package', running('npm run build')],
    ['runs another package manager', running('pnpm install --frozen-lockfile')],
    ['runs the package manager of Node', running('corepack yarn install')],
    ['runs a package', running('npx semantic-release')],
    ['runs our own script, which imports packages', running('node scripts/release.ts')],
    ['runs a program of the checkout', running('./release.sh')],
    ['runs a shell script', running('bash scripts/release.sh')],
    ['runs a make rule', running('make release')],
    ['installs from another registry', running('pip install build')],
    ['publishes with scripts', running('npm publish')],
    ['builds an image', running('docker build .')],
    ['builds an image by a plugin', running('docker buildx build --push .')],
    ['runs an image', running('docker run node npm ci')],
    ['starts it behind another command', running('echo a && npm ci')],
    ['starts it in a substitution', running('echo "$(npm ci)"')],
    ['starts it on a continued line', running('echo a; \\', 'npm ci')],
    ['starts it in a loop', running('for a in b; do npm ci; done')],
    ['starts it behind a setting', running('CI=1 npm ci')],
    ['starts it by another program', running('env npm ci')],
    ['starts it in another shell', running("sh -c 'npm ci'")],
    ['starts it with a quoted name', running('n"p"m ci')],
    ['starts what a variable names', running('$COMMAND')],
    ['starts it for a submodule', running("git submodule foreach 'npm ci'")],
    ['starts it by a setting of git', running('git -c core.hooksPath=. commit')],
    ['starts an extension', running('gh extension exec a')],
    ['leaves a variable to later steps', running('echo "NODE_OPTIONS=-r ./a" >> "$GITHUB_ENV"')],
    ['has a shell of its own', writing('      - run: echo a\n        shell: npx tsx {0}\n')],
    [
      'has a variable that loads code',
      writing('      - run: echo a\n        env: {BASH_ENV: ./a}\n'),
    ],
    ['has such a variable in all steps', writing('', '    env: {NODE_OPTIONS: -r ./a}\n')],
    [
      'has another shell in all steps',
      writing('', '    defaults: {run: {shell: node {0}}}\n'.replace('node {0}', "'node {0}'")),
    ],
    ['is in a container', writing('', '    container: node:24\n')],
    ['has a service', writing('', '    services: {a: {image: node:24}}\n')],
    ['uses an action of the checkout', writing('      - uses: ./\n')],
    ['uses an action that builds', writing(`      - uses: docker/build-push-action@${commit}\n`)],
    [
      'is a workflow of the checkout',
      good.replace(
        /contents: read[\s\S]*/,
        'contents: write\n    uses: ./.github/workflows/a.yml\n',
      ),
    ],
    ['has a token for publishing', running('npm ci').replace('contents: write', 'id-token: write')],
    [
      'has the right in a map of one line',
      running('npm ci').replace(
        /permissions:\n +contents: write/,
        'permissions: {packages: write}',
      ),
    ],
    [
      'has the right by an anchor',
      running('npm ci')
        .replace('permissions:', 'permissions: &all')
        .replace('contents: write', 'issues: "write"'),
    ],
  ])('is found where it %s', (_, text) => {
    expect(checkWorkflow('a.yml', text).map(({ message }) => message)).toEqual([
      'other code may run where the token can write',
    ])
  })

  it.each([
    ['git', running('git tag "v${VERSION%%.*}"', 'git push origin v1')],
    [
      'gh',
      running(
        'sha=$(gh api "repos/$GITHUB_REPOSITORY/commits/v1" --jq .sha)',
        'printf \'%s; `%s`\\n\' "$sha" > notes.md',
      ),
    ],
    [
      'docker, without a build',
      running(
        'docker load --input a.tar',
        'echo "$GH_TOKEN" | docker login ghcr.io --password-stdin',
      ),
    ],
    [
      'npm, to publish what was packed',
      running('for a in *.tgz; do', '  npm publish "./$a" --ignore-scripts', 'done'),
    ],
  ])('may use %s', (_, text) => {
    expect(checkWorkflow('a.yml', text)).toEqual([])
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
