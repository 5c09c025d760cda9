import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { Flags } from '../flags.ts'
import type { Terminal } from '../terminal.ts'

export async function report(flags: Flags<'json' | 'html'>, terminal: Terminal): Promise<number> {
  const { root } = await findRepository(terminal.directory)
  const path = (name: string) => join(root, '.executor', name)
  try {
    if (flags.html) {
      await access(path('report.html'))
      terminal.print(path('report.html'))
    } else {
      terminal.print(await readFile(path(flags.json ? 'report.json' : 'report.md'), 'utf8'))
    }
    return 0
  } catch (cause) {
    throw new ExecutorError('no_report', root, { cause })
  }
}
