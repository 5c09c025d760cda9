import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { originOf, type UsersRepository } from '../../../adapters/user-checkout.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { nameRoute, type RoutingJudgement } from '../../../core/history/routing.ts'
import { type ConfigProposal, proposeConfig } from '../../../publish/effects/propose-config.ts'
import { neutraliseLine } from '../../../text/markdown/neutralise.ts'
import { writePatch } from '../../../text/markdown/write-patch.ts'
import { composeGitHub } from '../../compose/compose-github.ts'
import { editConfig } from '../../config/edit-config.ts'
import { readRemote, tokenFor } from '../find-github.ts'
import { inSession } from '../interrupt.ts'
import { configPath } from '../load-settings.ts'
import { printable } from '../show-history.ts'
import type { Terminal } from '../terminal.ts'

const longestPatch = 8_000

/**
 * Proposes the best advice with a pull request from `executor/routing`; without a forge, or without its token, prints
 * the diff. Returns 0, or 1 when the forge refused.
 */
export async function applyRouting(
  { advice }: RoutingJudgement,
  repository: UsersRepository,
  settings: Settings,
  terminal: Terminal,
): Promise<number> {
  const [best] = advice
  if (best === undefined) {
    terminal.say('There is no advice to apply.')
    return 0
  }
  const { model, strategy } = best.route
  const name = neutraliseLine(nameRoute(best.route))
  const proposal: ConfigProposal = {
    path: configPath,
    edit: (text) => editConfig(text, { model, strategy }),
    title: `chore(executor): use ${printable(nameRoute(best.route))}`,
    body: `${name} ${neutraliseLine(best.evidence)}.\n\nFrom \`executor analyze routing --apply\`. Routes are not assigned at random: one that gets the harder tasks looks worse than it is.`,
  }
  const place = readRemote(await originOf(repository), terminal.environment)
  const token = place && tokenFor(place, terminal.environment)
  if (place === null || token === null) return printDiff(proposal, repository, terminal)
  const temporary = await mkdtemp(join(tmpdir(), 'executor-routing-'))
  try {
    const workflow = { base: null, workspace: repository.root, checkedOut: true, temporary }
    const open = (signal: AbortSignal) =>
      composeGitHub({
        ...{ settings, signal, apiKey: 'none', place: { ...place, ...workflow } },
        token: () => token,
        log: (line) => terminal.say(line),
      })
    return await inSession(terminal, open, async ({ ports }) => {
      const proposed = await proposeConfig(proposal, ports)
      if (proposed.status === 'refused') terminal.say(`Not proposed: ${proposed.reason}.`)
      else if (proposed.status === 'unchanged') terminal.say(`${configPath} says so already.`)
      else terminal.say(`Proposed in ${proposed.url}: merge it to use this route.`)
      return proposed.status === 'refused' ? 1 : 0
    })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function printDiff(
  { path, edit }: ConfigProposal,
  { root }: UsersRepository,
  terminal: Terminal,
): Promise<number> {
  const before = await readFile(join(root, path), 'utf8').catch(() => '')
  const content = edit(before)
  if (content === null) {
    terminal.say(`${path} says so already.`)
    return 0
  }
  const change =
    before === ''
      ? ({ action: 'create', path, content } as const)
      : ({ action: 'modify', path, before, content } as const)
  for (const line of writePatch([change], longestPatch).trimEnd().split('\n'))
    terminal.print(printable(line))
  terminal.say('Nothing was changed: there is no GitHub repository to propose this to.')
  return 0
}
