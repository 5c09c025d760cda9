import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import { reportName, type SandboxRequest } from '../../core/ports/sandbox.ts'

/**
 * The same request with each report under a name of this run alone, so that whoever wrote the code that
 * runs cannot have known it: hidden from the search of test files, and with the ending that it had.
 *
 * @returns `asked` by the path under which each is collected now
 */
export function underOwnNames(request: SandboxRequest): {
  readonly request: SandboxRequest
  readonly asked: ReadonlyMap<string, string>
} {
  const names = new Map<string, string>()
  const asked = new Map<string, string>()
  for (const path of request.collect) {
    const { dir, base, ext } = posix.parse(path)
    const own = reportName.test(base) ? `.${randomBytes(12).toString('hex')}${ext}` : base
    names.set(base, own)
    asked.set(posix.join(dir, own), path)
  }
  const rename = (text: string): string => {
    let named = text
    for (const [base, own] of names) named = named.replaceAll(base, () => own)
    return named
  }
  const { command } = request
  const renamed =
    'shell' in command ? { shell: rename(command.shell) } : { argv: command.argv.map(rename) }
  return { request: { ...request, command: renamed, collect: [...asked.keys()] }, asked }
}
