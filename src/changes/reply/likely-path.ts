import { checkPath } from '../gate/check-path.ts'
import { pathsOf, type Reply, withPaths } from './reply.ts'

/** Spellings of other systems and tools: `src\\a.js`, `/src/a.js`, `a/src/a.js` of a diff. */
const foreign = /\\|^\/(?!\/)|^[ab]\//

/**
 * The answer with paths as the repository would spell them: such a spelling is taken for another only
 * where it names no file itself and the other names a file, or a place in a folder, that is there.
 */
export function withLikelyPaths(reply: Reply, known: ReadonlySet<string>): Reply {
  const isForeign = reply.proposals.some((each) => pathsOf(each).some((path) => foreign.test(path)))
  if (!isForeign) return reply
  const folders = new Set([...known].map(topOf))
  const spell = (path: string) => likelyPath(path, known, folders)
  return { ...reply, proposals: reply.proposals.map((each) => withPaths(each, spell)) }
}

function likelyPath(
  path: string,
  known: ReadonlySet<string>,
  folders: ReadonlySet<string>,
): string {
  if (known.has(path) || !foreign.test(path)) return path
  const slashed = path.replaceAll('\\', '/')
  const isPrefixed = /^[ab]\//.test(slashed) && !folders.has(topOf(slashed))
  const plain = isPrefixed ? slashed.slice(2) : slashed.replace(/^\//, '')
  const isThere = known.has(plain) || folders.has(topOf(plain))
  return isThere && checkPath(plain).status === 'ok' ? plain : path
}

const topOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')
