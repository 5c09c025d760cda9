import { publishedAction } from '../../core/publisher.ts'

/** The available workflows; `executor init` writes the first by default. */
export const workflowNames = ['full', 'nightly', 'comments', 'issues', 'matrix'] as const
export type WorkflowName = (typeof workflowNames)[number]

/**
 * A complete workflow: least permissions, one run at a time, a time limit, no expression in a script.
 *
 * @param action the value of `uses:`
 * @param ci names of the workflows that check pull requests
 */
export const workflowText = (
  name: WorkflowName,
  action: string = publishedAction,
  ci: readonly string[] = ['CI'],
): string =>
  texts[name]
    .replaceAll(publishedAction, () => action)
    .replace('workflows: [CI]', () => `workflows: [${ci.map(yamlWord).join(', ')}]`)

/** A text as a YAML value, in quotes where YAML could read it as something else. */
export const yamlWord = (text: string): string =>
  /^[\w./-]+$/.test(text) && !/^(?:true|false|null|yes|no|on|off|[\d.-]+)$/i.test(text)
    ? text
    : JSON.stringify(text)

const nightly = `  schedule:
    - cron: '17 2 * * *'
`

const byHand = `  workflow_dispatch:
    inputs:
      task:
        description: Id of one task; empty for all ready tasks
        required: false
        type: string
      command:
        description: What to do
        required: false
        type: choice
        default: auto
        options: [auto, run, plan, reconcile, lint]
`

const remarks = `  issue_comment:
    types: [created]
  pull_request_review_comment:
    types: [created]
  pull_request_review:
    types: [submitted]
`

/** The end of checks, which approved pull requests wait for. */
const checks = `  check_suite:
    types: [completed]
  status:
  # Checks by Actions trigger neither of these, so list the names of your CI workflows here.
  workflow_run:
    workflows: [CI]
    types: [completed]
`

const issues = `  issues:
    types: [labeled, unlabeled, closed, edited]
`

const changes = `  pull_request:
    types: [closed]
    branches: ['**']
`

const moves = `  push:
    branches: [main]
`

/**
 * Runs of one group wait for each other, and only the newest stays pending: each answers every open
 * comment. The group belongs to the job, so that an unrelated event displaces no pending run. Runs through
 * the roadmap have their own group, so that no comment displaces a pending nightly run.
 */
const oneAtATime = (group: string): string => `    concurrency:
      group: roadmap-executor${group}
      cancel-in-progress: false
`

const byEvent = `\${{ (github.event_name == 'schedule' || github.event_name == 'workflow_dispatch' && inputs.command != 'reconcile') && '-work' || '' }}`

const aCommand = `contains(github.event.comment.body, '/') && github.event.comment.user.type != 'Bot'`

const ourIssue = `(github.event.label.name == 'executor'
      || contains(github.event.issue.labels.*.name, 'executor')
      || contains(github.event.issue.labels.*.name, 'executor:dashboard'))`

const ourPullRequest = `(startsWith(github.event.pull_request.head.ref, 'agent/')
      || startsWith(github.event.pull_request.head.ref, 'executor/'))`

const ourChecks = `(startsWith(github.event.check_suite.head_branch, 'agent/')
      || startsWith(github.event.workflow_run.head_branch, 'agent/')
      || github.event_name == 'status' && github.event.state != 'pending' && contains(toJSON(github.event.branches), '"agent/'))`

/**
 * Starts no runner for unrelated events: a comment without a slash or by a bot, an issue without our
 * label, another person's pull request or its checks.
 */
const onlyIf = (condition: string): string => `    if: >-
      ${condition}
`

const forComments = onlyIf(`github.event.comment && ${aCommand}
      || !github.event.comment && ${ourPullRequest}
      || ${ourChecks}`)

const forAll = onlyIf(`github.event.comment && ${aCommand}
      || !github.event.comment && github.event.issue && ${ourIssue}
      || !github.event.comment && github.event.pull_request && ${ourPullRequest}
      || ${ourChecks}
      || contains('schedule workflow_dispatch repository_dispatch push', github.event_name)`)

const rights = (indent: string): string =>
  [
    ...['contents: write', 'pull-requests: write', 'issues: write'],
    ...['checks: read', 'statuses: read', 'actions: read'],
  ]
    .map((line) => `${indent}${line}\n`)
    .join('')

/** Checks out the default branch for every event, without credentials that tests could find. */
const checkout = `      - uses: actions/checkout@fbc6f3992d24b796d5a048ff273f7fcc4a7b6c09 # v5.1.0
        with:
          ref: \${{ github.event.repository.default_branch }}
          fetch-depth: 0
          persist-credentials: false
`

const steps = (inputs: string, id: string): string => `      - id: ${id}
        uses: ${publishedAction}
        with:
${inputs}          model: \${{ vars.OPENAI_MODEL }}
          base-url: \${{ vars.OPENAI_BASE_URL }}
          api-key: \${{ secrets.OPENAI_API_KEY }}
        env:
          EXECUTOR_DISABLED: \${{ vars.EXECUTOR_DISABLED }}
`

/** With `state.answers: artifact`, uploads the run's state and restores it for a re-run. */
const working = (
  inputs: string,
  name = 'executor-state',
): string => `      # GitHub starts no CI for pull requests that the default token opens. With the token of an App of
      # yours, it does: remove the comment signs here, and add github-token to the step "executor".
      # - id: app
      #   uses: actions/create-github-app-token@bcd2ba49218906704ab6c1aa796996da409d3eb1 # v3.2.0
      #   with:
      #     client-id: \${{ vars.EXECUTOR_CLIENT_ID }}
      #     private-key: \${{ secrets.EXECUTOR_PRIVATE_KEY }}
      - if: github.run_attempt > 1
        uses: actions/download-artifact@37930b1c2abaa49bbe596cd826c3c89aef350131 # v7.0.0
        continue-on-error: true
        with:
          pattern: ${name}
          merge-multiple: true
          path: .executor
${steps(`${inputs}          # github-token: \${{ steps.app.outputs.token }}\n`, 'executor')}      - if: always() && steps.executor.outputs.state != ''
        uses: actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0
        with:
          name: ${name}
          path: \${{ steps.executor.outputs.state }}
          include-hidden-files: true
          overwrite: true
          retention-days: 7
          if-no-files-found: ignore
`

const asked = `          task: \${{ inputs.task }}
          command: \${{ inputs.command || 'auto' }}
`

const job = (given: {
  readonly condition?: string
  readonly group?: string
  readonly inputs: string
}): string => `jobs:
  executor:
${given.condition ?? ''}${oneAtATime(given.group ?? '')}    runs-on: ubuntu-latest
    timeout-minutes: 120
    permissions:
${rights('      ')}    steps:
${checkout}${working(given.inputs)}`

const head = (comment: string, name: string, on: string): string =>
  `${comment}
name: ${name}

on:
${on}
permissions: {}

`

const texts: Readonly<Record<WorkflowName, string>> = {
  full: `${head(
    `# Works through ROADMAP.md every night, answers comments (/approve, /retry, /help …), adopts issues
# with the label "executor", and updates its pull requests after a merge.
# To stop it, set the repository variable EXECUTOR_DISABLED to true.`,
    'Roadmap executor',
    nightly + byHand + remarks + checks + issues + changes + moves,
  )}${job({ condition: forAll, group: byEvent, inputs: asked })}`,

  nightly: `${head(
    `# Works through ROADMAP.md every night: one pull request per task.
# To stop it, set the repository variable EXECUTOR_DISABLED to true.`,
    'Roadmap executor, nightly',
    nightly + byHand,
  )}${job({ group: '-work', inputs: asked })}`,

  comments: `${head(
    '# Answers commands and reviews on the pull requests of roadmap-executor; starts no other work.',
    'Roadmap executor, comments',
    remarks + checks + changes,
  )}${job({ condition: forComments, inputs: '' })}`,

  issues: `${head(
    `# Turns an issue with the label "executor" into one or more pull requests.
# The label adopts the issue as it is at that moment; after an edit, set the label again.`,
    'Roadmap executor, issues',
    issues,
  )}${job({ condition: onlyIf(ourIssue), inputs: '' })}`,

  matrix: `${head(
    `# Runs every ready task on its own runner: \`plan\` lists the ready tasks, \`work\` does one each, and
# \`after\` answers comments and updates the dashboard.`,
    'Roadmap executor, matrix',
    nightly +
      byHand.replace(/default: auto\n.*/, 'default: run\n        options: [run, reconcile]'),
  )}concurrency:
  group: roadmap-executor-matrix
  cancel-in-progress: false

jobs:
  plan:
    if: inputs.command != 'reconcile'
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
      pull-requests: read
      issues: read
    outputs:
      ready: \${{ steps.plan.outputs.ready-tasks }}
    steps:
${checkout}${steps('          command: plan\n', 'plan')}  work:
    needs: plan
    if: needs.plan.outputs.ready != '[]'
    strategy:
      fail-fast: false
      max-parallel: 4
      matrix:
        task: \${{ fromJSON(needs.plan.outputs.ready) }}
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
${rights('      ')}    concurrency:
      group: roadmap-executor-\${{ matrix.task }}
      cancel-in-progress: false
    steps:
${checkout}${working(`          command: run\n          task: \${{ matrix.task }}\n`, `executor-state-\${{ matrix.task }}`)}  after:
    needs: work
    if: always()
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions:
${rights('      ')}    steps:
${checkout}${steps('          command: reconcile\n', 'executor')}`,
}

/** A workflow that lints the roadmap of pull requests; docs/lint.md shows it. */
export const lintWorkflow = `name: Roadmap lint
on:
  pull_request:
    paths: [ROADMAP.md]
concurrency: roadmap-lint-\${{ github.ref }}
permissions: {}
jobs:
  lint:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions:
      contents: read
    steps:
${checkout.replace(/^ +(?:ref|fetch-depth):.*\n/gm, '')}      - uses: ${publishedAction}
        with:
          command: lint
`

/** A workflow that checks pull requests; docs/check.md shows it. It needs no checkout. */
export const changeCheckWorkflow = `name: Executor check
on: pull_request
concurrency: executor-check-\${{ github.ref }}
permissions: {}
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions: { contents: read, checks: write }
    steps:
      - uses: ${publishedAction}
        with: { command: check }
`
