import type { AppInstallation } from '../../../adapters/probot-app.ts'
import type { JobQueue, JobView } from '../../../core/ports/job-queue.ts'
import {
  duration,
  foreign,
  html,
  link,
  type Markup,
  moment,
} from '../../../publish/report/html/markup.ts'
import type { HttpAnswer } from '../http/answer.ts'
import { guarded, noSuchPage, page } from '../http/page.ts'

/** What one viewer may see. */
export interface ViewerScope {
  readonly name: string
  readonly installations: readonly AppInstallation[]
  /** `owner/name` in lower case; `null`: all. */
  readonly repositories: readonly string[] | null
}

type Jobs = Pick<JobQueue, 'list' | 'find'>

const mostOfEach = 100

const looks: Readonly<Record<JobView['state'], readonly [tone: string, words: string]>> = {
  active: ['asks', 'running'],
  waiting: ['plain', 'waiting'],
  failed: ['bad', 'failed'],
  done: ['good', 'done'],
}

const headings: readonly (readonly [JobView['state'], string])[] = [
  ['active', 'Running'],
  ['waiting', 'Waiting'],
  ['failed', 'Failed'],
  ['done', 'Done'],
]

const links = ({ name }: ViewerScope): readonly Markup[] => [
  html`<a href="/">Start</a>`,
  html`<a href="/jobs">Jobs</a>`,
  html`<form action="/logout" method="post"><button>Log out ${name}</button></form>`,
]

export async function jobsPage(queue: Jobs, scope: ViewerScope): Promise<HttpAnswer> {
  const all = await queue.list(scope.repositories, mostOfEach)
  const sections = headings.map(([state, words]) => {
    const some = all.filter((job) => job.state === state)
    if (some.length === 0) return null
    return html`<section><h2>${words} (${some.length}${some.length < mostOfEach ? null : ' or more'})</h2><ul>${some.map(entry)}</ul></section>`
  })
  const installations = scope.installations.map(
    ({ account, url }) => html`<li>${link(url, foreign(account))}</li>`,
  )
  return page({
    title: 'Jobs',
    links: links(scope),
    body: html`${all.length === 0 ? html`<section><p>There are no jobs of the last days.</p></section>` : null}
${sections}
<section><h2>Installations (${installations.length})</h2>${installations.length === 0 ? html`<p>GitHub lists none.</p>` : html`<ul class="notes">${installations}</ul>`}
<p class="note">Each list has at most the latest ${mostOfEach} jobs. A finished job is kept for seven days.</p></section>`,
  })
}

const badge = ({ state }: JobView): Markup => {
  const [tone, words] = looks[state]
  return html`<span class="badge ${tone}">${words}</span>`
}

const entry = (job: JobView): Markup =>
  html`<li class="task"><h3><a href="/jobs/${job.id}">${foreign(job.repository)}</a></h3>${badge(job)}<p class="facts"><span>${foreign(job.event)}</span><span>${moment(job.receivedAt)}</span>${took(job)}</p>${job.reason === null ? null : html`<p class="reason">${foreign(job.reason)}</p>`}</li>`

function took({ startedAt, endedAt }: JobView): Markup | null {
  if (startedAt === null || endedAt === null) return null
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000
  return html`<span>took ${duration(Math.max(0, seconds))}</span>`
}

/** The job if the viewer may see it; a job of someone else is like one that does not exist. */
async function findVisible(queue: Jobs, scope: ViewerScope, id: string) {
  const job = await queue.find(id)
  const { repositories } = scope
  const isVisible =
    job !== null && (repositories === null || repositories.includes(job.repository.toLowerCase()))
  return isVisible ? job : null
}

export async function jobPage(queue: Jobs, scope: ViewerScope, id: string): Promise<HttpAnswer> {
  const job = await findVisible(queue, scope, id)
  if (job === null) return noSuchPage()
  const time = (name: string, at: string | null) =>
    at === null ? null : html`<div><dt>${name}</dt><dd>${moment(at)}</dd></div>`
  return page({
    title: job.repository,
    links: links(scope),
    body: html`<section><p>${badge(job)} ${foreign(job.event)}</p>
${job.reason === null ? null : html`<p class="reason">${foreign(job.reason)}</p>`}
<dl class="times">${time('received', job.receivedAt)}${time('started', job.startedAt)}${time('ended', job.endedAt)}</dl></section>
<section><h2>What it left</h2>${job.hasReport ? html`<p><a href="/jobs/${job.id}/report">The report of its run</a></p>` : null}${job.link === null ? null : html`<p>${link(job.link, 'The runs of its workflow on GitHub')}</p>`}${job.hasReport || job.link !== null ? null : html`<p>Nothing.</p>`}</section>`,
  })
}

/** The policy that a report brings along: its own style and script, by hash, and nothing else. */
const reportPolicy =
  /<meta http-equiv="Content-Security-Policy" content="(default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;; script-src &#39;sha256-[\w+/=]+&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;)">/

export async function reportPage(queue: Jobs, scope: ViewerScope, id: string): Promise<HttpAnswer> {
  const job = await findVisible(queue, scope, id)
  const report = job?.report ?? ''
  const policy = reportPolicy.exec(report)?.[1]?.replaceAll('&#39;', "'")
  if (policy === undefined) return noSuchPage()
  // Even a script that got into it would have neither cookies nor these pages.
  const own = `${policy}; frame-ancestors 'none'; sandbox allow-scripts allow-popups`
  return { status: 200, headers: guarded(own), body: report }
}
