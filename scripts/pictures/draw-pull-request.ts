/** A pull request as GitHub shows it: the same Markdown, in colours and shapes that are like GitHub's. */
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import type { PulledRequest } from './run-night.ts'

const alerts = {
  NOTE: ['note', 'Note', '<circle cx="8" cy="8" r="6.5"/><path d="M8 7.3v4M8 4.7v.1"/>'],
  WARNING: ['warning', 'Warning', '<path d="M8 1.8 14.8 14H1.2z"/><path d="M8 6v3.6M8 11.6v.1"/>'],
  CAUTION: [
    'caution',
    'Caution',
    '<path d="M5.2 1.2h5.6l4 4v5.6l-4 4H5.2l-4-4V5.2z"/><path d="M8 4.6V9M8 11.2v.1"/>',
  ],
} as const

/** The page, which follows the colour scheme of the browser. */
export function drawPullRequest(pull: PulledRequest): string {
  const { title, number, body, head, base, labels } = pull
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${text(title)}</title><style>${style}</style><body>
<h1>${inline(title)} <span>#${number}</span></h1>
<p class="state"><b class="open">${icon('<circle cx="4" cy="3.5" r="1.9"/><circle cx="4" cy="12.5" r="1.9"/><circle cx="12" cy="12.5" r="1.9"/><path d="M4 5.5v5M12 10.5V6a2 2 0 0 0-2-2H8m1.8-2L7.8 4l2 2"/>')}Open</b><span><b>executor</b> <i>bot</i> wants to merge 1 commit into <code>${text(base)}</code> from <code>${text(head)}</code></span></p>
<div class="row"><div class="avatar">${icon('<rect x="2.5" y="5.5" width="11" height="8" rx="2"/><path d="M8 2.2v3M5.7 9v.8M10.3 9v.8"/>')}</div><article><header><b>executor</b> <i>bot</i> commented<em>${labels.map((label) => `<span class="label">${text(label)}</span>`).join('')}</em></header>
<div class="body">${markdown(body)}</div></article></div></body></html>`
}

function markdown(body: string): string {
  const html = micromark(body, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  })
  return html.replaceAll(
    /<blockquote>\s*<p>\[!(NOTE|WARNING|CAUTION)\]\s*/g,
    (_, kind: keyof typeof alerts) => {
      const [name, said, shape] = alerts[kind]
      return `<blockquote class="${name}"><p class="kind">${icon(shape)}${said}</p><p>`
    },
  )
}

const icon = (shape: string): string =>
  `<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${shape}</svg>`

const text = (words: string): string => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const inline = (words: string): string => text(words).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const style = `
:root{color-scheme:light dark;--bg:#fff;--ink:#1f2328;--soft:#59636e;--line:#d1d9e0;--sunk:#f6f8fa;--code:#818b981f;--link:#0969da;--open:#1f883d;--note:#0969da;--warning:#9a6700;--caution:#cf222e}
@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--ink:#f0f6fc;--soft:#9198a1;--line:#3d444d;--sunk:#151b23;--code:#656c7633;--link:#4493f8;--open:#238636;--note:#4493f8;--warning:#d29922;--caution:#f85149}}
*{box-sizing:border-box}
body{margin:0;padding:28px 32px 32px;width:1000px;background:var(--bg);color:var(--ink);font:14px/1.5 -apple-system,"Segoe UI","Noto Sans",Helvetica,Arial,sans-serif}
h1{font-size:26px;font-weight:400;line-height:1.25;margin:0 0 12px}
h1 span{color:var(--soft);font-weight:300}
svg{vertical-align:-3px;margin-right:6px}
.state{display:flex;align-items:center;gap:10px;color:var(--soft);margin:0 0 22px}
.state b{color:var(--ink)}
.state .open{background:var(--open);color:#fff;font-weight:500;padding:5px 12px;border-radius:99px}
i{font-style:normal;font-size:12px;border:1px solid var(--line);border-radius:99px;padding:0 7px;color:var(--soft)}
.row{display:flex;gap:14px;align-items:flex-start}
.avatar{flex:none;width:40px;height:40px;border-radius:8px;background:var(--sunk);border:1px solid var(--line);display:grid;place-items:center;color:var(--soft)}
.avatar svg{margin:0;width:22px;height:22px}
article{flex:1;min-width:0;border:1px solid var(--line);border-radius:6px}
article header{display:flex;gap:6px;align-items:center;background:var(--sunk);border-bottom:1px solid var(--line);border-radius:6px 6px 0 0;padding:8px 16px;color:var(--soft)}
article header b{color:var(--ink);font-weight:600}
header em{margin-left:auto;font-style:normal}
.label{font-size:12px;font-weight:500;border:1px solid var(--line);border-radius:99px;padding:1px 9px;margin-left:6px;color:var(--ink)}
.body{padding:16px}
.body>:first-child{margin-top:0}.body>:last-child{margin-bottom:0}
p,ul,ol,table,pre,blockquote,details{margin:0 0 14px}
h2,h3,h4{font-weight:600;line-height:1.25;margin:22px 0 12px}
h2{font-size:21px;border-bottom:1px solid var(--line);padding-bottom:.3em}h3{font-size:17.5px}h4{font-size:14px}
ul,ol{padding-left:2em}li+li{margin-top:.25em}
li:has(>input){list-style:none;margin-left:-1.4em}
a{color:var(--link)}
code,pre{font:85%/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
code{background:var(--code);border-radius:6px;padding:.2em .4em}
pre{background:var(--sunk);border-radius:6px;padding:14px;overflow:hidden}
pre code{background:none;padding:0}
table{border-collapse:collapse}
th,td{border:1px solid var(--line);padding:6px 13px;text-align:left}
th{font-weight:600}
[align=right]{text-align:right}
summary{cursor:default}
hr{border:0;border-top:1px solid var(--line);margin:18px 0}
blockquote{border-left:.25em solid var(--line);padding:0 1em;color:var(--soft)}
blockquote.note,blockquote.warning,blockquote.caution{color:inherit;padding:8px 1em}
blockquote p:last-child,blockquote ul:last-child{margin-bottom:0}
.kind{font-weight:500;margin-bottom:10px}
.note{border-color:var(--note)}.note .kind{color:var(--note)}
.warning{border-color:var(--warning)}.warning .kind{color:var(--warning)}
.caution{border-color:var(--caution)}.caution .kind{color:var(--caution)}
sub{font-size:75%;color:var(--soft)}
`
