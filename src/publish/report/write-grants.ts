import type { Grant } from '../../core/domain/answer.ts'
import { grantMarker } from '../../core/domain/grant-marker.ts'
import { inlineCode } from '../../text/markdown/inline-code.ts'

/** What a pull request's body says of what its task may change besides its scope; empty for nothing. */
export const writeGrants = (grants: readonly Grant[]): string => grants.map(writeGrant).join('\n')

/** The body with one more of them: the line for people before the hidden lines at its end. */
export function withGrant(body: string, grant: Grant): string {
  const lines = body.trimEnd().split(/\r?\n/)
  const last = lines.findLastIndex((line) => !/^<!-- executor:.* -->[ \t]*$/.test(line))
  const [words, hidden] = [
    lines
      .slice(0, last + 1)
      .join('\n')
      .trimEnd(),
    lines.slice(last + 1),
  ]
  return `${[words, writeGrant(grant), [grantMarker(grant), ...hidden].join('\n')].join('\n\n')}\n`
}

const writeGrant = ({ path, by }: Grant): string =>
  `- ${inlineCode(by)} lets this task change ${inlineCode(path)}.`
