import type { Grant } from './answer.ts'

/** The hidden line that keeps a grant in its pull request's body. */
export const grantMarker = ({ path, by }: Grant): string =>
  `<!-- executor:allow ${path} by ${by} -->`

/**
 * The grants of a pull request's body of ours: among the hidden lines at its very end alone, for
 * what stands earlier may be quoted. The caller checks the paths anew.
 */
export function readGrants(body: string): readonly Grant[] {
  const grants: Grant[] = []
  for (const line of body.trimEnd().split(/\r?\n/).reverse()) {
    if (!/^<!-- executor:[^\r\n]{1,1300} -->[ \t]*$/.test(line)) break
    const found = /^<!-- executor:allow (\S.{0,1100}) by ([A-Za-z0-9-]{1,39}) -->[ \t]*$/.exec(line)
    if (found?.[1] !== undefined && found[2] !== undefined) {
      grants.push({ path: found[1], by: found[2] })
    }
  }
  return grants.reverse()
}
