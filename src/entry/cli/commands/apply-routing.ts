import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changeBetween } from '../../../../packages/change/change.ts'
import { neutraliseLine } from '../../../../packages/text/text.ts'
import { originOf, type UsersRepository } from '../../../adapters/user-checkout.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { nameRoute, type RoutingJudgement } from '../../../core/history/routing.ts'
import { writePatch } from '../../../core/write-patch.ts'
import { type ConfigProposal, proposeConfig } from '../../../publish/effects/propose-config.ts'
import { editConfig } from '../../config/edit-config.ts'
import { configPath } from '../../config/resolve-in-repository.ts'
import { readRemote, tokenFor } from '../find-github.ts'
import { inSession } from '../interrupt.ts'
import { openGitHub } from '../open-github.ts'
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
  const request = { settings, apiKey: 'none' }
  const open = (signal: AbortSignal) =>
    openGitHub({ ...request, signal }, repository, { ...place, token }, terminal)
  return inSession(terminal, open, async ({ ports }) => {
    const proposed = await proposeConfig(proposal, ports)
    if (proposed.status === 'refused') terminal.say(`Not proposed: ${proposed.reason}.`)
    else if (proposed.status === 'unchanged') terminal.say(`${configPath} says so already.`)
    else terminal.say(`Proposed in ${proposed.url}: merge it to use this route.`)
    return proposed.status === 'refused' ? 1 : 0
  })
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
  const changes = [changeBetween(path, before || undefined, content) ?? []].flat()
  for (const line of writePatch(changes, longestPatch).trimEnd().split('\n'))
    terminal.print(printable(line))
  terminal.say('Nothing was changed: there is no GitHub repository to propose this to.')
  return 0
}
