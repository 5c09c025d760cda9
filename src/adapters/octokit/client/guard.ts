import { isPerforming } from '../../../core/perform-effect.ts'
import { isRead } from './graphql.ts'
import type { Octokit } from './octokit.ts'

/** Nothing is written but as an effect: who tries has forgotten to look before, and to look after. */
export function refuseStrayWrites(octokit: Octokit): void {
  octokit.hook.wrap('request', (request, options) => {
    if (isRead(options) || isPerforming()) return request(options)
    throw new Error(`${options.method} ${options.url} is a write outside an effect.`)
  })
}
