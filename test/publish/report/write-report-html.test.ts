import { createHash } from 'node:crypto'
import { type DefaultTreeAdapterMap, type ParserError, parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { JournalEvent } from '../../../src/core/domain/journal-event.ts'
import { buildReport, type Report } from '../../../src/publish/report/build-report.ts'
import { html, link } from '../../../src/publish/report/html/markup.ts'
import { writeReportHtml } from '../../../src/publish/report/write-report-html.ts'
import { sampleState } from '../../contracts/run-state.ts'
import { aState } from '../../fakes/facts.ts'
import { aNight } from './a-night.ts'
import { hostileTexts } from './hostile.ts'

type Element = DefaultTreeAdapterMap['element']

/** The page as a browser reads it. */
function read(page: string) {
  const errors: ParserError[] = []
  const document = parse(page, { onParseError: (error) => errors.push(error) })
  const visit = (node: DefaultTreeAdapterMap['node']): readonly Element[] => [
    ...('tagName' in node ? [node] : []),
    ...('childNodes' in node ? node.childNodes.flatMap(visit) : []),
  ]
  const elements = visit(document)
  const all = (tag: string) => elements.filter(({ tagName }) => tagName === tag)
  return { elements, all, errors: errors.map(({ code }) => code) }
}

const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value

function textOf(node: DefaultTreeAdapterMap['node']): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

const night = aNight(28).report
const page = writeReportHtml(night)
const whole = read(page)

/** Events of a loop of tools: in each attempt the calls, and a reflection. */
function loop(task: string, text: string, attempts: number, calls: number): JournalEvent[] {
  const place = { seq: 0, at: '2026-01-02T02:00:00.000Z', run: 'run-20260102-011700-a1b2c3', task }
  const turn = { tool: 'grep', input: JSON.stringify({ words: text }), hash: '', thought: text }
  const seen = { observation: `seen: ${text}`, summary: text, isOk: true }
  return range(attempts).flatMap((attempt) => [
    ...range(calls).map((n) => ({
      ...{ ...place, ...turn, ...seen, kind: 'observed' as const, attempt, turn: n },
    })),
    { ...place, kind: 'reflected' as const, attempt, lines: [text, text] },
  ])
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Everything that others can write says this. */
function saying(text: string): Report {
  const base = sampleState()
  const { state, events } = aNight(9, ({ receipt }) => ({
    title: text,
    reason: text,
    receipt: receipt && {
      ...receipt,
      notes: [text],
      warnings: [text],
      commands: [{ command: text, exitCode: 1, seconds: 1, output: text }],
    },
  }))
  return buildReport(
    changeState(state, {
      roadmap: { base: { branch: text, sha: text }, changes: [text] },
      progress: { limits: [text], retryAt: text },
      tasks: { leases: { 'T-9': text } },
      record: {
        errors: [{ code: 'git_failed', message: text, next: text, taskId: text, output: text }],
        destructive: base.record.destructive.map((each) => ({ ...each, by: text, patch: text })),
        recoveries: base.record.recoveries.map((each) => ({ ...each, by: text, taskId: text })),
        hidden: base.record.hidden.map((each) => ({ ...each, excerpt: text })),
      },
    }),
    { events: [...events, ...loop('T-101', text, 2, 2)] },
  )
}

describe('the page', () => {
  it('is HTML without an error, in the parts that a reader of screens looks for', () => {
    expect(whole.errors).toEqual([])
    for (const tag of ['header', 'main', 'nav', 'footer', 'h1'])
      expect(whole.all(tag), tag).toHaveLength(1)
    expect(whole.all('html').map((each) => attribute(each, 'lang'))).toEqual(['en'])
    expect(whole.all('h1').map(textOf)).toEqual(['16 pull requests to review'])
    const ids = whole.elements.flatMap((each) => attribute(each, 'id') ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    const named = ['href', 'aria-labelledby'].flatMap((name) =>
      whole.elements.flatMap((each) => attribute(each, name) ?? []),
    )
    const inside = named.filter((name) => !name.startsWith('http'))
    expect(inside.filter((name) => !ids.includes(name.replace('#', '')))).toEqual([])
    expect(inside.length).toBeGreaterThan(50)
    for (const cell of whole.all('th')) expect(attribute(cell, 'scope')).toMatch(/^(?:col|row)$/)
    for (const picture of whole.all('svg')) {
      const isHidden = attribute(picture, 'aria-hidden') === 'true'
      const isInHidden = picture.attrs.length > 0 && attribute(picture, 'class') === 'strip'
      const title = picture.childNodes.find(
        (child) => 'tagName' in child && child.tagName === 'title',
      )
      expect(isHidden || title !== undefined || isInHidden).toBe(true)
    }
  })

  it('loads nothing, and lets nothing run but its own style sheet and script', () => {
    const hash = (tag: string) => {
      const [only, ...others] = whole.all(tag)
      expect(others).toEqual([])
      const text = only === undefined ? '' : textOf(only)
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    }
    const [meta] = whole.all('meta').filter((each) => attribute(each, 'http-equiv') !== undefined)
    expect(meta && attribute(meta, 'content')).toBe(
      `default-src 'none'; style-src ${hash('style')}; script-src ${hash('script')}; base-uri 'none'; form-action 'none'`,
    )
    for (const { tagName, attrs } of whole.elements) {
      expect(['img', 'link', 'iframe', 'object', 'embed', 'base', 'form']).not.toContain(tagName)
      for (const { name, value } of attrs) {
        expect(name).not.toMatch(/^on|^style$|^src|^action$/)
        if (name === 'href')
          expect(value).toMatch(/^#|^https:\/\/github\.com\/corner\/shop(?:\/|$)/)
      }
    }
    const css = whole.all('style').map(textOf).join('')
    expect(css.match(/url\([^)]*\)|@import/g)).toEqual(['url(#hatch)'])
  })

  it('shows each task with its outcome, its size, its links, and what to do about it', () => {
    const tasks = whole.all('li').filter((each) => attribute(each, 'class') === 'task')
    expect(tasks.map((each) => attribute(each, 'data-outcome'))).toEqual(
      night.tasks.map(({ outcome }) => outcome),
    )
    const said = tasks.map((each) => textOf(each).replaceAll(/\s+/g, ' '))
    expect(said[4]).toMatch(
      /^T-105 Parse the header of a \.csv file, in src\/read-header\.ts failed\s#45 agent\/T-105 \+16 −4 in 1 file .* 11,600 tokens \$0\.0084 2 repairs still not valid after 2 repairs.* Answer in #45: \/retry/,
    )
    expect(said[8]).toContain('Answer in #49: /approve or /reject')
    const lanes = whole.all('title').map(textOf).slice(1)
    expect(lanes).toContain(
      'model 1 min 05 s, repair 26 s, tests 20 s, git, GitHub and checks 1.0 s',
    )
    expect(lanes).toHaveLength(28)
  })

  it('shows thoughts, tool calls and reflections of each attempt, and not what the tools showed', () => {
    const { all } = read(writeReportHtml(saying('total')))
    const [, told] = all('details').map((each) => textOf(each).replaceAll(/\s+/g, ' ').trim())
    const attempt = (n: number) =>
      `Attempt ${n}${'total ⚒ grep "total" → total'.repeat(2)}Why it failed:totaltotal`
    expect(told).toBe(`How the change came about (4 tool calls)${attempt(1)}${attempt(2)}`)
  })

  it('shows the last of many tool calls', () => {
    const { state, events } = aNight(1)
    const report = buildReport(state, { events: [...events, ...loop('T-101', 'total', 1, 120)] })
    expect(report.tasks[0]?.notes).toHaveLength(100)
    const text = writeReportHtml(report)
    expect(text.split('⚒')).toHaveLength(40)
    expect(text).toContain('60 earlier ones are in <code>report.json</code>')
  })

  it('says that a cost is unknown where no model has a price', () => {
    const { state, events } = aNight(3, ({ usage }) => ({ usage: { ...usage, dollars: 0 } }))
    const preview = { tasks: 3, tokens: 9, dollars: null, pastTasks: 0, warnings: 0 }
    const { nodes, usage } = state.spent
    const free = Object.entries(nodes).map(([node, each]) => [
      node,
      { ...each, usage: { ...each.usage, dollars: 0 } },
    ])
    const report = buildReport(
      changeState(state, {
        roadmap: { preview },
        spent: { usage: { ...usage, dollars: 0 }, nodes: Object.fromEntries(free) },
      }),
      { events },
    )
    const text = writeReportHtml(report).replace(/<script>[\s\S]*/, '')
    expect(text).not.toMatch(/\$0\.\d/)
    expect(text).toContain('cost unknown')
    expect([report.cost, report.tasks[0]?.cost]).toEqual([null, null])
  })

  it('is a page for a run of nothing, and for one that goes on', () => {
    const empty = read(writeReportHtml(buildReport(aState())))
    expect(empty.errors).toEqual([])
    expect(empty.all('h1').map(textOf)).toEqual(['There was nothing to do'])
    const dry = read(writeReportHtml(buildReport(aState({ run: { dryRun: true } }))))
    expect(dry.all('h1').map(textOf)).toEqual(['0 tasks planned'])
  })
})

describe('texts of others', () => {
  const shapeOf = (elements: readonly Element[]) =>
    elements
      .filter(({ tagName }) => tagName !== 'code')
      .map(({ tagName, attrs }) => `${tagName} ${attrs.map(({ name }) => name).join(' ')}`)
  const calm = shapeOf(read(writeReportHtml(saying('calm'))).elements)

  it.each([
    ...hostileTexts,
    '</script><script>alert(1)</script>',
    '</style><img src=x>',
    '</title></head><body onload=alert(1)>',
    '" autofocus onfocus="alert(1)',
    "' onmouseover='alert(1)",
    'javascript:alert(1)',
    '<svg><style><!--</style><a id="--><img src=1 onerror=alert(1)>">',
    '\uD800\uDC00\uD800 &#x202e; &lt;/script&gt;',
    '`a` `` b ` c`` <!-- `d` -->',
  ])('stay text: %j', (text) => {
    const { elements, errors } = read(writeReportHtml(saying(text)))
    expect(errors).toEqual([])
    expect(shapeOf(elements)).toEqual(calm)
    const shown = text.toWellFormed().replaceAll(/[`\s\p{Cc}\u202E]/gu, '')
    const all = elements.find(({ tagName }) => tagName === 'main')
    expect(textOf(all as Element).replaceAll(/[`\s\uFFFD]/g, '')).toContain(
      shown.replaceAll('\uFFFD', ''),
    )
  })

  it('turn nothing around, and hide nothing', () => {
    const page = writeReportHtml(saying('a\u202Eb\u2066c\u0000d\u001B[31me\u2028f\u200Fg'))
    expect(page).not.toMatch(/[\u200F\u202A-\u202E\u2028\u2066-\u2069]|(?!\n)\p{Cc}/u)
    expect(page).toContain('a\uFFFDb\uFFFDc\uFFFDd\uFFFD[31me\uFFFDf\uFFFDg')
  })

  it('of a megabyte each make no large page', () => {
    expect(writeReportHtml(saying('<"&'.repeat(350_000))).length).toBeLessThan(1_500_000)
  })

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,<script>',
    'https://a.example/" onclick="x',
    'https://a.example/<b>',
    ' https://a.example',
    '//a.example',
  ])('make no link of %j', (address) => {
    expect(String(link(address, 'words'))).toBe('words')
  })

  it('never stand outside of quotes in a tag', () => {
    expect(() => html`<a href=${'x'}>`).toThrow('needs quotes')
    expect(String(html`<a title="${`"'><&`}">${['<b>', html`<i>`, null, 7]}</a>`)).toBe(
      '<a title="&quot;&#39;&gt;&lt;&amp;">&lt;b&gt;<i>7</a>',
    )
  })
})

describe('a large night', () => {
  it('of 200 tasks is read at once, and below a megabyte', () => {
    const large = writeReportHtml(aNight(200).report)
    expect(large.length).toBeLessThan(700_000)
    expect(read(large).errors).toEqual([])
  })

  it('of thousands shows what needs somebody, and says what it leaves out', () => {
    const sha = (n: number) => String(n + 1).padStart(40, 'a')
    const { report } = aNight(1_500, (_, n) => ({
      verdict: n === 1_498 ? 'failed' : 'in_review',
      ...{ reason: '', branch: `agent/T-${n}`, sha: sha(n), start: sha(n - 1) },
    }))
    const large = writeReportHtml(report)
    expect(large.length).toBeLessThan(1_500_000)
    expect(large).toContain('1000 tasks that need nothing are not shown')
    expect(large).toContain('id="task-1499"')
  })
})
