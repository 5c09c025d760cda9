import type { IncomingMessage } from 'node:http'
import type { GitHubApp } from '../../../adapters/probot-app.ts'
import type { JobCounts } from '../../../core/ports/job-queue.ts'
import { html, link } from '../../../publish/report/html/markup.ts'
import { type HttpAnswer, methodNotAllowed, requestTarget } from '../http/answer.ts'
import { page } from '../http/page.ts'

export interface PageOptions {
  readonly app: Pick<GitHubApp, 'page'>
  readonly counts: () => Promise<JobCounts>
}

/** The pages for people: answers `null` for a path that is none of them. */
export function createPages(
  options: PageOptions,
): (request: IncomingMessage) => Promise<HttpAnswer | null> {
  return async (request) => {
    const { pathname } = requestTarget(request)
    if (pathname !== '/') return null
    return request.method === 'GET' ? home(options) : methodNotAllowed
  }
}

/** Longer than GitHub usually takes; the page does without the App's name then. */
const patienceMilliseconds = 3_000

async function home({ app, counts }: PageOptions): Promise<HttpAnswer> {
  const late = new Promise<null>((resolve) =>
    setTimeout(resolve, patienceMilliseconds, null).unref(),
  )
  const orNull = <T>(work: Promise<T>) => Promise.race([work.catch(() => null), late])
  const [found, jobs] = await Promise.all([orNull(app.page()), orNull(counts())])
  const state =
    jobs === null
      ? html`<p class="badge bad">The queue cannot be reached.</p>`
      : html`<p class="badge good">The server works.</p>`
  const install =
    found === null
      ? html`<p>GitHub does not answer at the moment, so the link that installs the App is missing here.</p>`
      : html`<p>${link(`${found.url}/installations/new`, `Install ${found.name}`)} on your repositories, or read ${link(found.url, 'its page on GitHub')}.</p>`
  return page({
    title: found?.name ?? 'The GitHub App',
    body: html`<section>${state}<p>This server runs the GitHub App of roadmap-executor, which works through a repository's <code>ROADMAP.md</code>: one verified pull request per task.</p>${install}</section>`,
  })
}
