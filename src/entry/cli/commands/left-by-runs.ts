import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFileMemory } from '../../../adapters/file-store/memory-file.ts'
import { createSystemClock } from '../../../adapters/system-clock.ts'
import { findRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { KnownFix, Memory } from '../../../core/ports/memory.ts'
import { printable } from '../show-history.ts'
import type { Terminal } from '../terminal.ts'

interface Flags {
  readonly json?: boolean
}

export async function showMemory({ json }: Flags, terminal: Terminal): Promise<number> {
  const fixes = await (await openMemory(terminal)).all()
  if (json) {
    terminal.print(JSON.stringify({ fixes }, null, 2))
    return 0
  }
  for (const fix of fixes) {
    terminal.print(
      `${fix.type.padEnd(18)} worked ${fix.worked}, failed ${fix.failed}  ${fix.at.slice(0, 10)}`,
    )
    terminal.print(`  ${printable(fix.signature)}`)
    terminal.print(`  → ${printable(fix.fix)}`)
  }
  terminal.say(fixes.length === 0 ? 'No fix is known yet.' : `${named(fixes)} known.`)
  return 0
}

export async function clearMemory({ json }: Flags, terminal: Terminal): Promise<number> {
  const removed = await (await openMemory(terminal)).clear()
  if (json) terminal.print(JSON.stringify({ removed }, null, 2))
  else
    for (const { signature, fix } of removed)
      terminal.print(`${printable(signature)} → ${printable(fix)}`)
  terminal.say(
    removed.length === 0 ? 'There was nothing to forget.' : `${named(removed)} forgotten.`,
  )
  return 0
}

async function openMemory(terminal: Terminal): Promise<Memory> {
  const { root } = await findRepository(terminal.directory)
  return createFileMemory({ directory: join(root, '.executor'), clock: createSystemClock() })
}

const named = (fixes: readonly KnownFix[]): string =>
  fixes.length === 1 ? '1 fix' : `${fixes.length} fixes`

export async function report(
  flags: { readonly json?: boolean; readonly html?: boolean },
  terminal: Terminal,
): Promise<number> {
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
