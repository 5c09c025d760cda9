import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inTemporaryFolder } from '../../packages/files/files.ts'

export type EditedText =
  | { readonly status: 'ok'; readonly text: string }
  | { readonly status: 'failed'; readonly reason: string }

/** In bytes; no list of tasks is longer. */
const largest = 100_000

/**
 * Opens a text in the person's editor (VISUAL, EDITOR or vi), and returns the saved text. Like git,
 * it passes the command line to the shell, so `code --wait` works.
 */
export function openInEditor(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<EditedText> {
  const editor = environment.VISUAL || environment.EDITOR || 'vi'
  return inTemporaryFolder('edit', async (folder) => {
    const path = join(folder, 'tasks.md')
    await writeFile(path, text, { mode: 0o600 })
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' })
    const [code] = await once(child, 'close')
    if (code === 127) {
      return { status: 'failed', reason: `the editor ${editor} is not installed: set EDITOR` }
    }
    if (code !== 0)
      return { status: 'failed', reason: `${editor} ended with ${code ?? 'a signal'}` }
    return { status: 'ok', text: (await readFile(path, 'utf8')).slice(0, largest) }
  })
}
