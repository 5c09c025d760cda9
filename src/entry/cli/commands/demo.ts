import { mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../../packages/files/files.ts'
import type { Demo } from '../../../../packages/github-simulator/demo.ts'
import { countOf } from '../../../../packages/text/text.ts'
import {
  cloneCheckout,
  excludeFromGit,
  fetchOrigin,
  findRepository,
} from '../../../adapters/user-checkout.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { exitCodeOf } from '../../../runs/run-results.ts'
import { composeGitHub } from '../../compose/compose-github.ts'
import { resolveSettings } from '../../config/resolve-settings.ts'
import { openProgress } from '../../progress/open-progress.ts'
import { walk } from '../../walk.ts'
import type { Flags } from '../flags.ts'
import { untilInterrupted } from '../interrupt.ts'
import { showSummary } from '../run-here.ts'
import type { Terminal } from '../terminal.ts'

/** `executor demo`: the real program with the executor's own GitHub and model servers on loopback. */
export async function demo(flags: Flags<'keep'>, terminal: Terminal): Promise<number> {
  const root = flags.keep
    ? await mkdtemp(join(tmpdir(), 'executor-demo-'))
    : await makeTemporaryFolder('demo')
  terminal.say(
    `${terminal.paint('bold', 'A demo.')} A sample shop with five open tasks, on a GitHub server and a model server that run inside this process. The model is scripted: its answers were written beforehand, with one syntax error, one wrong implementation and one task that comes too early. Everything else is real: git, the pull requests, the tests, the repairs.\n`,
  )
  const { startDemo } = await import('../../../../packages/github-simulator/demo.ts')
  const servers = await startDemo(join(root, 'github'))
  try {
    return await untilInterrupted(terminal, async (signal) => {
      const checkout = join(root, 'checkout')
      await openCheckout(checkout, root, servers, flags.keep ?? false)
      const state = await work({ root, checkout }, servers, terminal, signal)
      await showPullRequests(servers, terminal)
      const reportPath = join(checkout, '.executor/report.md')
      if (!flags.keep)
        terminal.say(`${terminal.paint('bold', 'The report')}\n${await readReport(reportPath)}\n`)
      showSummary(state, { terminal, reportPath: flags.keep ? reportPath : null })
      const requests = servers.github.requests.length
      terminal.say(
        `${countOf(servers.model.requests.length, 'model request')}, ${countOf(requests, 'request')} to GitHub.`,
      )
      if (flags.keep) {
        await fetchOrigin(checkout)
        terminal.say(`Checkout: ${checkout} (git branch --remotes lists the branches)`)
      } else terminal.say('Add --keep to keep the repository and the report.')
      terminal.say('\nThe model was scripted. In your own repository: executor init')
      return exitCodeOf(state)
    })
  } finally {
    await servers.close()
    if (!flags.keep) await removeTemporaryFolder(root)
  }
}

/** Makes the folder that gets the report; one that is kept is a checkout of the sample repository. */
async function openCheckout(
  checkout: string,
  root: string,
  { repository: { owner, repo } }: Demo,
  isKept: boolean,
): Promise<void> {
  if (!isKept) {
    await mkdir(checkout)
    return
  }
  await cloneCheckout(join(root, 'github', owner, `${repo}.git`), checkout)
  await excludeFromGit(await findRepository(checkout), '/.executor/')
}

async function work(
  { root, checkout }: { readonly root: string; readonly checkout: string },
  { github, model, repository, token }: Demo,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<RunState> {
  const settings = demoSettings(model.url)
  const place = {
    ...{ ...repository, serverUrl: github.url, apiUrl: github.apiUrl, base: 'main' },
    ...{ workspace: checkout, checkedOut: false, temporary: root },
  }
  const reached = { place, token: () => token, log: () => {} }
  const progress = openProgress(terminal, settings, 'one task')
  const session = await composeGitHub({ ...reached, settings, apiKey: 'none', signal, progress })
  try {
    return await walk(session, { fresh: true }, signal)
  } finally {
    await session.close()
  }
}

function demoSettings(baseUrl: string): Settings {
  const resolved = resolveSettings({
    flags: { model: 'scripted-model', 'base-url': baseUrl, 'max-open-prs': 10 },
    environment: {},
    file: null,
    defaults: { approvalMode: 'interactive', stack: 'auto' },
  })
  if (resolved.status === 'ok') return resolved.settings
  throw new Error(resolved.problems.map(({ message }) => message).join(' '))
}

/** The report up to its diagrams, which a terminal cannot draw. */
async function readReport(path: string): Promise<string> {
  const text = await readFile(path, 'utf8')
  const [upToStack = ''] = text.split('\n## The stack')
  return indent(upToStack.trim())
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  │ ${line}`)
    .join('\n')

async function showPullRequests({ github, repository }: Demo, terminal: Terminal): Promise<void> {
  const { owner, repo } = repository
  const { pulls } = await github.state(owner, repo)
  terminal.say(`\n${terminal.paint('bold', 'Pull requests')}`)
  for (const { number, title, head, base, labels } of pulls) {
    terminal.say(`  #${number} ${title}\n     ${head} → ${base}  [${labels.join(', ')}]`)
  }
  const [first] = pulls
  if (first === undefined) return
  const visible = first.body.replaceAll(/<!--[\s\S]*?-->/g, '').trim()
  terminal.say(`\n${terminal.paint('bold', `What #${first.number} says`)}\n${indent(visible)}\n`)
}
