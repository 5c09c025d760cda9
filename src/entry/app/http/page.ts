import { createHash } from 'node:crypto'
import { constant, html, type Markup, style } from '../../../publish/report/html/markup.ts'
import type { HttpAnswer } from './answer.ts'

/** Added to the report's style, which the pages share. */
const ownStyle = `
header h1{margin-bottom:.3rem}
main>section:first-child{margin-top:1.6rem}
form{margin:0 0 1rem;display:flex;flex-wrap:wrap;gap:.6rem;align-items:end}
label{display:grid;gap:.2rem;font-size:.9rem;color:var(--soft)}
input,button{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:.4rem .8rem;max-width:100%}
button{background:var(--ink);color:var(--bg);border-color:var(--ink);cursor:pointer}
nav form{margin:0}
nav button{background:none;color:var(--link);border:0;padding:0;text-decoration:underline;text-underline-offset:.18em}
.times{display:flex;flex-wrap:wrap;gap:1rem 2rem}
.times dd{font-size:1rem}
`

const pageStyle = style + ownStyle

export interface Page {
  readonly status?: number
  readonly title: string
  /** A link of the bar on top, or a form with one button. */
  readonly links?: readonly Markup[]
  readonly body: Markup
  readonly cookies?: readonly string[]
  /** Origins besides this one that a form of the page may be sent to. */
  readonly formTargets?: readonly string[]
}

/** Headers of each page: nothing but its own style is loaded, nothing runs, and no one keeps or frames it. */
export const guarded = (policy: string): HttpAnswer['headers'] => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cache-control': 'no-store',
  'referrer-policy': 'strict-origin',
  'x-frame-options': 'DENY',
})

const styleHash = createHash('sha256').update(pageStyle).digest('base64')

/** A page without a script. Every text in it is escaped by {@link html}. */
export function page({
  status = 200,
  title,
  links = [],
  body,
  cookies,
  formTargets,
}: Page): HttpAnswer {
  const targets = ["'self'", ...(formTargets ?? [])].join(' ')
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
  const written = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · roadmap-executor</title>
<link rel="icon" href="data:,">
<style>${constant(pageStyle)}</style>
</head>
<body>
<header>
<p class="eyebrow">roadmap-executor</p>
<h1>${title}</h1>
${links.length === 0 ? null : html`<nav aria-label="Pages"><ul>${links.map((each) => html`<li>${each}</li>`)}</ul></nav>`}
</header>
<main>${body}</main>
<footer></footer>
</body>
</html>
`
  const setCookie = cookies === undefined ? {} : { 'set-cookie': [...cookies] }
  return { status, headers: { ...guarded(policy), ...setCookie }, body: `${written}` }
}

/** The same for a page that does not exist and one of someone else. */
export const noSuchPage = (): HttpAnswer =>
  page({
    status: 404,
    title: 'Not found',
    body: html`<p>There is no such page here. <a href="/">Back to the start</a></p>`,
  })

export const redirect = (location: string, cookies: readonly string[] = []): HttpAnswer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'set-cookie': [...cookies] },
  body: '',
})

/** The address that people use, from EXECUTOR_URL or else the request's own headers. */
export function publicOrigin(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  configured: string | null,
): string {
  if (configured !== null) return configured
  const host = String(headers.host ?? '')
  const isHost = /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?$/i.test(host)
  // Such as `1.2.3.999` or port 99999.
  const safe = isHost && URL.canParse(`http://${host}`) ? host : 'localhost'
  const isSecure = headers['x-forwarded-proto'] === 'https'
  return `${isSecure ? 'https' : 'http'}://${safe}`
}
