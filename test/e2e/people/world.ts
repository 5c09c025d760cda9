import type { Octokit } from '@octokit/rest'
import type { RepositoryOptions } from '../../../packages/github-simulator/github/store.ts'
import type { ModelScript } from '../../../packages/github-simulator/model/model-script.ts'
import { type Token, target, tokens } from '../../../packages/github-simulator/test/github/bench.ts'
import {
  type ActionBench,
  openActionBench,
  type WorkflowRun,
  writesOf,
} from '../action/action-bench.ts'
import { type AppProcess, appOnGitHub, startApp } from './through-app.ts'

/** How an event reaches the program: a workflow of the repository, or the App's webhook. */
export type Way = 'action' | 'app'

/** What came of one event. */
export interface Delivered {
  readonly modelCalls: number
  readonly apiCalls: number
  readonly writes: number
  /** What the log said. */
  readonly log: string
  readonly exitCode: number
}

/** A repository with people in it, and us behind one of the two doors. */
export interface World extends AsyncDisposable {
  readonly bench: ActionBench
  /** The nightly run. */
  night(inputs?: Readonly<Record<string, string>>): Promise<Delivered>
  /** Somebody comments on an issue or a pull request. */
  say(on: number, body: string, who?: Token): Promise<Delivered>
  /** Somebody comments on a line of a pull request's diff. */
  sayOnLine(
    on: number,
    at: { path: string; line: number },
    body: string,
    who?: Token,
  ): Promise<Delivered>
  review(
    on: number,
    verdict: 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT',
    body: string,
    who?: Token,
  ): Promise<Delivered>
  openIssue(title: string, body: string, who?: Token): Promise<number>
  labelIssue(number: number, label: string, who?: Token): Promise<Delivered>
  unlabelIssue(number: number, label: string, who?: Token): Promise<Delivered>
  /** A person merges; the webhook of that follows. */
  merge(number: number, method?: 'merge' | 'squash' | 'rebase'): Promise<Delivered>
  close(number: number): Promise<Delivered>
  /** What CI says of the commit that a pull request has now; the webhook of that follows. */
  check(number: number, state: 'pending' | 'success' | 'failure'): Promise<Delivered>
  /** A person's commit on the default branch; the webhook of that follows. */
  push(files: Readonly<Record<string, string>>): Promise<Delivered>
}

type Deliver = (
  event: string,
  payload: object,
  inputs?: Readonly<Record<string, string>>,
) => Promise<Delivered>

/** Opens it; the settings are those of `.github/executor.yml`. */
export async function openWorld(
  way: Way,
  files: Readonly<Record<string, string>>,
  script: ModelScript,
  options: { readonly config?: string; readonly repository?: Partial<RepositoryOptions> } = {},
): Promise<World> {
  const isApp = way === 'app'
  const written = `${isApp ? 'runner: local\n' : ''}${options.config ?? ''}`
  const config = written === '' ? {} : { '.github/executor.yml': written }
  // GitHub's clock is ahead of ours: a comment is never as old as the proposal it answers.
  const now = () => new Date(Date.now() + 3_000)
  const { app, installationId } = appOnGitHub
  const bench = await openActionBench(
    { ...files, ...config },
    script,
    { ...options.repository, ...(isApp && { installationId }) },
    { now, ...(isApp && { app }) },
  )
  const running = isApp ? await startApp(bench) : null
  const deliver = running === null ? throughAction(bench) : throughApp(bench, running)
  const events = speaker(bench)
  return {
    bench,
    // An App has no clock of its own: something outside tells it that it is night.
    night: async (inputs = {}) =>
      isApp
        ? deliver('repository_dispatch', { action: 'executor', ...(await events.about()) })
        : deliver('schedule', { schedule: '17 3 * * *', ...(await events.about()) }, inputs),
    async say(on, body, who = 'writer-token') {
      const { data: comment } = await bench
        .octokit(who)
        .issues.createComment({ ...target, issue_number: on, body })
      const issue = await events.issue(on)
      return deliver('issue_comment', {
        action: 'created',
        comment,
        issue,
        ...(await events.about(who)),
      })
    },
    async sayOnLine(on, { path, line }, body, who = 'writer-token') {
      const pull = await events.pull(on)
      const { data: comment } = await bench.octokit(who).pulls.createReviewComment({
        ...target,
        pull_number: on,
        path,
        line,
        side: 'RIGHT',
        body,
        commit_id: pull.head.sha,
      })
      const payload = {
        action: 'created',
        comment,
        pull_request: pull,
        ...(await events.about(who)),
      }
      return deliver('pull_request_review_comment', payload)
    },
    async review(on, verdict, body, who = 'writer-token') {
      const { data: review } = await bench
        .octokit(who)
        .pulls.createReview({ ...target, pull_number: on, event: verdict, body })
      const pull = await events.pull(on)
      // In webhooks the state is in lower case.
      const said = { ...review, state: review.state.toLowerCase() }
      return deliver('pull_request_review', {
        action: 'submitted',
        review: said,
        pull_request: pull,
        ...(await events.about(who)),
      })
    },
    async openIssue(title, body, who = 'reader-token') {
      return (await bench.octokit(who).issues.create({ ...target, title, body })).data.number
    },
    async labelIssue(number, label, who = 'writer-token') {
      await bench
        .octokit(who)
        .issues.addLabels({ ...target, issue_number: number, labels: [label] })
      const issue = await events.issue(number)
      return deliver('issues', {
        action: 'labeled',
        issue,
        label: { name: label },
        ...(await events.about(who)),
      })
    },
    async unlabelIssue(number, label, who = 'writer-token') {
      await bench.octokit(who).issues.removeLabel({ ...target, issue_number: number, name: label })
      const issue = await events.issue(number)
      return deliver('issues', {
        action: 'unlabeled',
        issue,
        label: { name: label },
        ...(await events.about(who)),
      })
    },
    async merge(number, method = 'merge') {
      await bench
        .octokit('owner-token')
        .pulls.merge({ ...target, pull_number: number, merge_method: method })
      return deliver('pull_request', {
        action: 'closed',
        pull_request: await events.pull(number),
        ...(await events.about('owner-token')),
      })
    },
    async close(number) {
      await bench.close(number)
      return deliver('pull_request', {
        action: 'closed',
        pull_request: await events.pull(number),
        ...(await events.about('owner-token')),
      })
    },
    async check(number, state) {
      const { sha, ref } = (await events.pull(number)).head
      const status = { ...target, sha, state, context: 'ci' }
      await bench.octokit('owner-token').repos.createCommitStatus(status)
      const branches = [{ name: ref }]
      return deliver('status', { sha, state, branches, ...(await events.about('owner-token')) })
    },
    async push(changed) {
      const sha = await bench.push('main', changed)
      return deliver('push', {
        ref: 'refs/heads/main',
        after: sha,
        deleted: false,
        ...(await events.about('owner-token')),
      })
    },
    async [Symbol.asyncDispose]() {
      await running?.[Symbol.asyncDispose]()
      await bench[Symbol.asyncDispose]()
    },
  }
}

/** Each event is a workflow run of its own, on a fresh runner. */
function throughAction(bench: ActionBench): Deliver {
  return async (event, payload, inputs = {}) => {
    const run: WorkflowRun = await bench.run({ event, payload, inputs })
    return {
      modelCalls: run.modelCalls,
      apiCalls: run.apiCalls.length,
      writes: writesOf(run).length,
      log: `${run.stdout}${run.stderr}`,
      exitCode: run.exitCode,
    }
  }
}

/** Each event is a signed webhook, and a job of the one process. */
function throughApp({ server, model }: ActionBench, app: AppProcess): Deliver {
  return async (event, payload) => {
    const [seen, asked] = [server.requests.length, model.requests.length]
    const log = await app.deliver(event, payload)
    const requests = server.requests.slice(seen)
    return {
      modelCalls: model.requests.length - asked,
      apiCalls: requests.filter(({ kind }) => kind !== 'git').length,
      writes: requests.filter(({ writes }) => writes).length,
      log,
      exitCode: 0,
    }
  }
}

/** What payloads say besides what happened. */
function speaker(bench: ActionBench) {
  const octokit: Octokit = bench.octokit('owner-token')
  return {
    about: async (who: Token = 'owner-token') => ({
      repository: (await octokit.repos.get(target)).data,
      sender: tokens[who],
    }),
    issue: async (number: number) =>
      (await octokit.issues.get({ ...target, issue_number: number })).data,
    pull: async (number: number) =>
      (await octokit.pulls.get({ ...target, pull_number: number })).data,
  }
}
