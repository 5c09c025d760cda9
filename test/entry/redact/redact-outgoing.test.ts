import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../../packages/change/change-set.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import { redactOutgoing } from '../../../src/entry/redact/redact-outgoing.ts'
import { redactDiscussion } from '../../../src/entry/redact/redact-ports.ts'
import { emptyStore, fakePorts } from '../../fakes/facts.ts'
import { createMemoryDiscussion } from '../../fakes/memory-discussion.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { createMemoryRepository } from '../../fakes/memory-repository.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'
import { createSilentPerson } from '../../fakes/silent-person.ts'
import { canary, spellings } from './canary.ts'

const oneLine = Object.values(spellings).filter((text) => !text.includes('\n'))

/** The ports, and what came out of them. */
async function openExits(sandbox = createScriptedSandbox()) {
  const left: string[] = []
  const take = (value: unknown) => void left.push(JSON.stringify(value))
  const workspace = createMemoryWorkspace({ files: { 'a.js': 'a\n' } })
  const ports = fakePorts({
    person: createSilentPerson(),
    sandbox,
    workspace: {
      ...workspace,
      commit: async (request) => {
        take(request.message)
        return workspace.commit(request)
      },
    },
    forge: {
      ...createMemoryForge(),
      upsertPullRequest: async ({ title, body }) => {
        take([title, body])
        return { status: 'ok', value: null }
      },
      upsertComment: async (_number, _marker, body) => {
        take(body)
        return { status: 'ok', value: null }
      },
      upsertReviewComment: async (_number, { body }) => {
        take(body)
        return { status: 'ok', value: null }
      },
      upsertIssue: async ({ title, body }) => {
        take([title, body])
        return { status: 'ok', value: { number: 1, url: '' } }
      },
    },
    model: {
      complete: async ({ messages }) => {
        take(messages)
        return { status: 'answered', text: '', finish: 'stop', usage: noUsage }
      },
    },
    store: {
      ...emptyStore,
      save: async ({ record: { errors }, attempt }) => take([errors, attempt?.failure]),
      record: async (_run, entries) => take(entries),
      writeReport: async (name, text) => {
        take(text)
        return name
      },
    },
  })
  const { base } = await workspace.refresh()
  const discussion = redactDiscussion(
    {
      ...createMemoryDiscussion(createMemoryRepository()),
      answer: async (_ref, _marker, body) => {
        take(body)
        return { status: 'ok', value: null }
      },
    },
    [canary],
  )
  return { ports: redactOutgoing({ ...ports }, [canary]), discussion, left, base, workspace }
}

const line = { marker: '<!-- m -->', sha: 'a'.repeat(40), path: 'a.js', line: 1 }
const issue = { marker: '<!-- m -->', labels: [] }
const draft = {
  head: 'agent/T-1',
  base: 'main',
  labels: [],
  draft: false,
  reviewers: [],
  assignees: [],
}
describe('a change', () => {
  const change = (content: string): ChangeSet => [
    { action: 'modify', path: 'a.js', before: 'a\n', content },
  ]

  it.each(oneLine)('that brings in %j is written nowhere', async (text) => {
    const { ports, base, workspace } = await openExits()
    const folder = await ports.workspace.checkOut('T-1', base.sha)
    expect(await ports.workspace.write(folder, change(`a = '${text}'\n`))).toEqual({
      status: 'refused',
      path: 'a.js',
      reason: 'it would contain a secret of this run',
    })
    expect(await workspace.readFolder(folder, ['a.js'])).toEqual(new Map([['a.js', 'a\n']]))
    const request = { parents: [base.sha], changes: change(text), message: '' }
    await expect(ports.workspace.commit(request)).rejects.toThrow('would contain a secret')
  })

  const filler = 'const number = 12345\n'.repeat(8_000)
  const half = canary.slice(0, canary.length / 2)
  const spread = [...canary].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')

  it.each([
    ['in the middle', filler + filler, `${filler}a = '${canary}'\n${filler}`, true],
    ['at the beginning', filler, `a = '${canary}'\n${filler}`, true],
    ['at the end, escaped', filler, `${filler}a = '${spread}'\n`, true],
    ['by its second half', `${filler}${half}`, `${filler}${canary}`, true],
    [
      'by taking away what stood between its halves',
      `${half}\n.\n${canary.slice(half.length)}${filler}`,
      `${canary}${filler}`,
      true,
    ],
    ['where it was before', `${canary}\n${filler}b`, `${canary}\n${filler}c`, false],
  ])('of a long file that has a secret %s', async (_, before, content, isRefused) => {
    const { ports, base } = await openExits()
    const folder = await ports.workspace.checkOut('T-1', base.sha)
    const changes: ChangeSet = [{ action: 'modify', path: 'a.js', before, content }]
    const written = JSON.stringify(await ports.workspace.write(folder, changes))
    expect(written.includes('it would contain a secret')).toBe(isRefused)
  })

  it('is written as it is when it holds none', async () => {
    const { ports, base } = await openExits()
    const folder = await ports.workspace.checkOut('T-1', base.sha)
    const content = `a = 'Bearer example.of.a.token'\nb = 'AKIAIOSFODNN7EXAMPLE'\n`
    expect(await ports.workspace.write(folder, change(content))).toEqual({ status: 'written' })
    expect(await ports.workspace.readFolder(folder, ['a.js'])).toEqual(new Map([['a.js', content]]))
  })
})

describe('what GitHub takes', () => {
  it('is what it is given: 256 characters of a title, 65,536 of a body', async () => {
    const { ports, discussion, left } = await openExits()
    const body = `${'line\n'.repeat(30_000)}\n<!-- executor:task T-1 -->\n`
    await ports.forge.upsertPullRequest({ ...draft, title: 'é'.repeat(400), body })
    await ports.forge.upsertComment(1, '<!-- m -->', body)
    await ports.forge.upsertReviewComment(1, { ...line, body })
    await discussion.answer({ kind: 'comment', id: 1, on: 1 }, '<!-- m -->', body)
    await ports.forge.upsertIssue({ ...issue, title: 'é'.repeat(400), body })
    const [request = '[]', ...texts] = left
    const [title, sent]: readonly string[] = JSON.parse(request)
    expect(title).toHaveLength(256)
    expect(sent?.length).toBeLessThanOrEqual(65_536)
    expect(sent).toMatch(/cut here: [\d,]+ more characters.*\n\n<!-- executor:task T-1 -->\n$/)
    const [issueTitle, issueBody]: readonly string[] = JSON.parse(texts.pop() ?? '[]')
    expect(issueTitle).toHaveLength(256)
    for (const text of [issueBody ?? '', ...texts.map((one): string => JSON.parse(one))]) {
      expect(text).toMatch(/cut here/)
      expect(text.length + '<!-- m -->\n'.length).toBeLessThanOrEqual(65_536)
    }
  })
})

describe('what ends a command', () => {
  it('is handed on as it is', async () => {
    const { signal } = new AbortController()
    let given: AbortSignal | undefined
    const sandbox = createScriptedSandbox((_, request) => {
      given = request.signal
      return {}
    })
    const { ports } = await openExits(sandbox)
    await ports.sandbox.run({
      ...{ command: { shell: 'true' }, folder: '/a', directory: '.', env: {}, network: false },
      ...{ mounts: [], timeoutSeconds: 1, collect: [], signal },
    })
    expect(given).toBe(signal)
  })
})

describe('what is parked', () => {
  it.each(oneLine)('holds no %j, and is JSON still', async (text) => {
    const { ports, workspace } = await openExits()
    const attempt = { at: 1, log: `before ${text} after\\`, list: [text, null], ok: true }
    await ports.workspace.park('T-1', JSON.stringify(attempt))
    const parked = (await workspace.parked()).get('T-1') ?? ''
    expect(JSON.parse(parked)).toEqual({
      ...attempt,
      log: expect.stringMatching(/^before .*\*\*\*.* after\\$/),
      list: [expect.stringContaining('***'), null],
    })
    await ports.workspace.park('T-1', null)
    expect(await workspace.parked()).toEqual(new Map())
  })

  it('is masked as text where it is no JSON', async () => {
    const { ports, workspace } = await openExits()
    await ports.workspace.park('T-1', `{ "cut: ${canary}`)
    expect((await workspace.parked()).get('T-1')).toBe('{ "cut: ***')
  })
})

describe('an answer in the journal', () => {
  const answered = {
    ...({
      kind: 'answered',
      call: 0,
      hash: 'a',
      purpose: 'draft',
      model: 'm',
      task: null,
    } as const),
    ...({ attempt: null, finish: 'stop', usage: noUsage, seconds: 1, exact: true } as const),
  }
  it.each([
    ['as it was', 'no secret', { text: 'no secret', exact: true }],
    ['never to be used again', `key: ${canary}`, { text: 'key: ***', exact: false }],
  ])('is kept %s', async (_, text, kept) => {
    const { ports, left } = await openExits()
    await ports.store.record('run-1', [{ ...answered, text }])
    expect(JSON.parse(left[0] ?? '')).toMatchObject([kept])
  })
})
