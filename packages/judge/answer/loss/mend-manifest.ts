import { posix } from 'node:path'
import { type ChangeSet, contentAfter } from '../../../change/change.ts'
import { isFields, parseJson } from '../../../text/text.ts'

/** Lists of a package.json that npm installs from. */
const lists = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/**
 * Takes modules of Node itself (`node:test`) out of the dependencies of a package.json that a change writes: no package
 * can have such a name, and npm installs nothing beside one.
 */
export const withoutNodeModules = (changes: ChangeSet): ChangeSet =>
  changes.map((change) => {
    const text = contentAfter(change) ?? ''
    const isManifest = posix.basename(change.path) === 'package.json'
    if (change.action === 'delete' || !isManifest || !text.includes('"node:')) return change
    const content = withoutThem(text)
    return content === text ? change : { ...change, content }
  })

function withoutThem(text: string): string {
  const manifest = parseJson(text)
  if (!isFields(manifest)) return text
  let found = false
  const kept = Object.entries(manifest).map(([key, value]) => {
    if (!lists.includes(key) || !isFields(value)) return [key, value]
    const entries = Object.entries(value).filter(([name]) => !name.startsWith('node:'))
    found ||= entries.length < Object.keys(value).length
    return [key, Object.fromEntries(entries)]
  })
  if (!found) return text
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? '  '
  return `${JSON.stringify(Object.fromEntries(kept), null, indent)}\n`
}
