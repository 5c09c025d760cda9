import type { IncomingMessage } from 'node:http'
import type { AppPage, GitHubApp } from '../../../adapters/probot-app.ts'
import type { JobQueue } from '../../../core/ports/job-queue.ts'
import { html, link, type Markup } from '../../../publish/report/html/markup.ts'
import { type HttpAnswer, methodNotAllowed, requestTarget } from '../http/answer.ts'
import { page, redirect } from '../http/page.ts'
import { jobPage, jobsPage, reportPage, type ViewerScope } from './job-pages.ts'
import { answerLogin, type LoginOptions, type Viewer, viewerOf } from './log-in.ts'
import type { AskAccess } from './persons-access.ts'

export interface PageOptions {
  readonly app: Pick<GitHubApp, 'page' | 'installations'>
  readonly queue: Pick<JobQueue, 'counts' | 'list' | 'find'>
  /** `null`: only the start page exists. */
  readonly login: LoginOptions | null
  readonly askAccess: AskAccess
}

/** The pages for people: answers `null` for a path that is none of them. */
export function createPages(
  options: PageOptions,
): (request: IncomingMessage) => Promise<HttpAnswer | null> {
  const { login } = options
  return async (request) => {
    const url = requestTarget(request)
    if (url.pathname === '/') {
      return request.method === 'GET' ? startPage(options) : methodNotAllowed
    }
    if (login === null) return null
    const answered = await answerLogin(request, url, login)
    if (answered !== null) return answered
    return url.pathname.startsWith('/jobs') && request.method === 'GET'
      ? answerJobs(request, url.pathname, { ...options, login })
      : null
  }
}

async function answerJobs(
  request: IncomingMessage,
  pathname: string,
  options: PageOptions & { readonly login: LoginOptions },
): Promise<HttpAnswer | null> {
  const viewer = viewerOf(request, options.login)
  if (viewer === null) return redirect('/login')
  const scope = await scopeOf(viewer, options)
  if (scope === 'logged out') return redirect('/login')
  if (scope === 'unknown') return githubIsSilent
  const { queue } = options
  if (pathname === '/jobs') return jobsPage(queue, scope)
  const [, id = '', report] = /^\/jobs\/([\w-]{1,100})(\/report)?$/.exec(pathname) ?? []
  if (id === '') return null
  return report === undefined ? jobPage(queue, scope, id) : reportPage(queue, scope, id)
}

async function scopeOf(
  viewer: Viewer,
  { app, askAccess }: PageOptions,
): Promise<ViewerScope | 'logged out' | 'unknown'> {
  if (viewer.kind === 'operator') {
    const installations = await app.installations().catch(() => [])
    return { name: 'the operator', installations, repositories: null }
  }
  try {
    const access = await askAccess(viewer.token)
    return access === null ? 'logged out' : { name: viewer.login, ...access }
  } catch {
    return 'unknown'
  }
}

const githubIsSilent: HttpAnswer = page({
  status: 503,
  title: 'GitHub does not answer',
  body: html`<section><p>The server cannot ask GitHub which repositories are yours. Try again in a minute.</p></section>`,
})

/** Longer than GitHub usually takes; the page does without the App's name then. */
const patienceMilliseconds = 3_000

async function startPage({ app, queue, login }: PageOptions): Promise<HttpAnswer> {
  const late = new Promise<null>((resolve) => {
    setTimeout(resolve, patienceMilliseconds, null).unref()
  })
  const orNull = <T>(work: Promise<T>) => Promise.race([work.catch(() => null), late])
  const [found, jobs] = await Promise.all([orNull(app.page()), orNull(queue.counts())])
  const state =
    jobs === null
      ? html`<p class="badge bad">The queue cannot be reached.</p>`
      : html`<p class="badge good">The server works.</p>`
  return page({
    title: found?.name ?? 'The GitHub App',
    links: login === null ? [] : [html`<a href="/jobs">Jobs</a>`],
    body: html`<section>${state}<p>This server runs the GitHub App of roadmap-executor, which works through a repository's <code>ROADMAP.md</code>: one verified pull request per task.</p>${installation(found)}</section>`,
  })
}

function installation(found: AppPage | null): Markup {
  if (found === null) {
    return html`<p>GitHub does not answer at the moment, so the link that installs the App is missing here.</p>`
  }
  const { name, url } = found
  return html`<p>${link(`${url}/installations/new`, `Install ${name}`)} on your repositories, or read ${link(url, 'its page on GitHub')}.</p>`
}
