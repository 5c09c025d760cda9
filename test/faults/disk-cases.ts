/** The state on a real disk: cut at any byte, torn in the middle of a line, held by another process. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileStore } from '../../src/adapters/file-store.ts'
import type { JournalEntry } from '../../src/core/domain/journal-event.ts'
import { noUsage } from '../../src/core/domain/usage.ts'
import { aState } from '../fakes/facts.ts'

const answer = (text: string): JournalEntry => ({
  ...{ kind: 'answered', call: 0, hash: 'a'.repeat(64), text, finish: 'stop', usage: noUsage },
  ...{ exact: true, purpose: 'draft', model: 'm', task: 'T-1', attempt: 1, seconds: 1 },
})

/** Cuts `state.json` at every so many bytes; what it says then is the state before, never none or done. */
export async function checkCutState(every: number): Promise<readonly string[]> {
  return inFolder(async (directory) => {
    const store = createFileStore({ directory })
    await store.save(aState({ progress: { next: 'execute_task' } }))
    await store.save(aState({ progress: { next: 'verify_task' } }))
    const path = join(directory, 'state.json')
    const whole = readFileSync(path)
    const wrong: string[] = []
    for (let length = 0; length < whole.length; length += every) {
      writeFileSync(path, whole.subarray(0, length))
      const loaded = await createFileStore({ directory }).load()
      const next = loaded.status === 'loaded' ? loaded.state.progress.next : loaded.status
      if (next !== 'execute_task') wrong.push(`cut at byte ${length} it says ${next}`)
      else if (!('restored' in loaded)) wrong.push(`cut at byte ${length} nothing is said`)
    }
    return wrong
  })
}

/** Cuts a journal in the middle of its last line; the next line is whole, and the answer is not lost. */
export async function checkTornJournal(): Promise<readonly string[]> {
  return inFolder(async (directory) => {
    const wrong: string[] = []
    const store = createFileStore({ directory })
    await store.record('run-1', [{ kind: 'resumed', next: 'plan_task', from: 'disk' }])
    await store.record('run-1', [answer('first')])
    const path = join(directory, 'journal', 'run-1.jsonl')
    const whole = readFileSync(path)
    writeFileSync(path, whole.subarray(0, whole.length - 20))
    await createFileStore({ directory }).record('run-1', [answer('second')])
    const after = createFileStore({ directory })
    const kept = await after.answer('run-1', 0, 'a'.repeat(64))
    if (!(kept && 'text' in kept && kept.text === 'second')) {
      wrong.push('a torn line swallowed the next one')
    }
    if ((await after.answer('run-1', 0, 'b'.repeat(64))) !== null) {
      wrong.push('the answer to another question was taken')
    }
    const seqs = (await after.journal('run-1')).map(({ seq }) => seq)
    if (new Set(seqs).size !== seqs.length) wrong.push(`numbers are used twice: ${seqs}`)
    return wrong
  })
}

/** Two processes in one folder. */
export async function checkLock(): Promise<readonly string[]> {
  return inFolder(async (directory) => {
    const first = await createFileStore({ directory }).acquireLock()
    const second = await createFileStore({ directory })
      .acquireLock()
      .then(
        () => 'got in',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      )
    await first.release()
    return second.includes('Another run') ? [] : [`the second ${second}`]
  })
}

async function inFolder(
  check: (directory: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'faults-'))
  try {
    return await check(join(root, '.executor'))
  } finally {
    rmSync(root, { recursive: true })
  }
}
