/** The bundled Action on a GitHub and a model of our own; each run of it begins on a fresh machine. */
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { openActionBench } from '../../e2e/action/action-bench.ts'
import { type EndState, plainWords } from '../end-state.ts'
import { type ProcessWorld, type Started, withoutFigures } from './process-world.ts'
import { createModelOfWork, project } from './scripted-work.ts'

export interface ActionWorld extends ProcessWorld {
  /** Something a person says. */
  say(head: string, words: string): Promise<void>
  readonly bench: Awaited<ReturnType<typeof openActionBench>>
}

export async function openActionWorld(): Promise<ActionWorld> {
  const model = createModelOfWork()
  // GitHub's clock is ahead of ours: a comment is never as old as the proposal it answers.
  const now = () => new Date(Date.now() + 3_000)
  const bench = await openActionBench(project, model.script, {}, { now })
  const { server } = bench
  const state = () => server.state(target.owner, target.repo)

  function start(): Started {
    server.faults.clear()
    const [cancelling, vanishing] = [new AbortController(), new AbortController()]
    const printed = listen()
    const [seen, asked] = [server.requests.length, model.paid.length]
    const ended = bench
      .run({
        signal: cancelling.signal,
        vanish: vanishing.signal,
        heard: printed.hear,
        env: { EXECUTOR_DASHBOARD: 'true' },
      })
      .finally(server.faults.clear)
      .then((run) => ({
        code: run.exitCode,
        said: `${run.stdout}${run.stderr}`,
        calls: { git: [], files: [] },
        milliseconds: run.milliseconds,
        requests: [
          ...server.requests.slice(seen).map(({ method, path }) => `${method} ${path}`),
          ...model.paid.slice(asked).map((key) => `model ${key}`),
        ],
      }))
    return {
      ended,
      said: printed.said,
      cancel: () => cancelling.abort(),
      vanish() {
        vanishing.abort()
        const effect = { kind: 'drop', when: 'before' } as const
        server.faults.add({ path: '*', times: Infinity, effect })
      },
    }
  }

  async function endOf(): Promise<EndState> {
    const now = await state()
    const plain = withoutFigures(plainWords(now))
    await bench.file('main', 'ROADMAP.md')
    const ends: Record<string, string> = {}
    for (const [ref, sha] of Object.entries(now.refs)) {
      const name = plain(ref)
      if (!ref.startsWith('refs/heads/')) {
        // The claim on a comment that has its reply goes with the next push that something else needs.
        const isPassing = /^refs\/executor\/(?:state$|claim\/comment-)/.test(ref)
        if (!isPassing) ends[name] = 'is there'
        continue
      }
      const files = (await bench.git('ls-tree', '-r', sha)).split('\n')
      ends[name] = files.filter((line) => !line.endsWith('\tROADMAP.md')).join('\n')
      // A question is written into it, with the run that asks.
      ends[`roadmap of ${name}`] = plain(await bench.git('show', `${sha}:ROADMAP.md`))
      ends[`message of ${name}`] = plain(await bench.git('log', '-1', '--format=%B', sha))
    }
    const words = (...parts: readonly unknown[]) => plain(parts.join('\n'))
    const sorted = (labels: readonly string[]) => [...labels].sort().join(' ')
    for (const { number, base, title, body, labels, state, draft } of now.pulls) {
      ends[plain(`pull request #${number}`)] = words(
        ...[state, base, title, draft, sorted(labels), body],
      )
    }
    for (const { number, title, body, labels, state } of now.issues) {
      ends[plain(`issue #${number}`)] = words(state, title, sorted(labels), body)
    }
    const remarks = [...now.comments, ...now.reviewComments].map(({ pull, author, body }) =>
      plain(`#${pull} ${author} ${wordsOf(author, body)}`),
    )
    ends.remarks = remarks.sort().join('\n')
    return ends
  }

  return {
    ...{ model, bench, start, endOf },
    async say(head, body) {
      const { pulls } = await state()
      const number = pulls.find((pull) => pull.head === head)?.number
      if (number === undefined) throw new Error(`There is no pull request of ${head}.`)
      const comment = { ...target, issue_number: number, body }
      await bench.octokit('writer-token').issues.createComment(comment)
    },
    async recorded() {
      const kept = '+refs/executor/stat*:refs/kept/stat*'
      await bench.git('fetch', '--quiet', '--prune', 'origin', kept)
      const { exitCode } = await bench.tryGit('rev-parse', '--verify', 'refs/kept/state')
      if (exitCode !== 0) return 0
      const lines = await bench.git('grep', '-h', '-e', '"kind":', 'refs/kept/state')
      return lines.split('\n').filter((line) => line.includes('"kind":"answered"')).length
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

/** What is printed piece by piece, for those who wait for words of it. */
function listen() {
  let all = ''
  const waiting = new Set<() => void>()
  return {
    hear(piece: string): void {
      all += piece
      for (const check of waiting) check()
    },
    said: (words: string): Promise<void> =>
      new Promise((resolve) => {
        const check = () => {
          if (all.includes(words)) resolve()
        }
        waiting.add(check)
        check()
      }),
  }
}

/** Of our own remarks only what they are for: what a report says depends on how often a run was begun. */
const wordsOf = (author: string, body: string): string =>
  author.endsWith('[bot]')
    ? [...body.matchAll(/<!-- (executor:\S+)/g)].map(([, name]) => name).join(' ')
    : body
