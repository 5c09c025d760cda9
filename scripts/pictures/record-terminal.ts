/** Records what a command writes to a terminal, and when: by `script` of util-linux, which gives it one. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

/** What was written, and the second at which it was. */
export interface Written {
  readonly at: number
  readonly text: string
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** `command` is a line for a shell. */
export async function recordTerminal(
  command: string,
  { columns, rows }: Size,
  folder: string,
): Promise<readonly Written[]> {
  const [timing, output] = [join(folder, 'timing'), join(folder, 'output')]
  const line = `stty cols ${columns} rows ${rows}; ${command}`
  await execa('script', ['-qec', line, '--log-timing', timing, '--log-out', output], {
    stdio: 'ignore',
    env: { TERM: 'xterm-256color', CI: undefined, NO_COLOR: undefined },
  })
  const bytes = await readFile(output)
  // The log begins with a line of its own.
  let from = bytes.indexOf('\n') + 1
  let at = 0
  const decoder = new TextDecoder()
  return (await readFile(timing, 'utf8')).split('\n').flatMap((entry) => {
    const [kind = '', delay = '0', size = '0'] = entry.split(' ')
    const isOutput = kind === 'O'
    if (!isOutput && !/^\d/.test(kind)) return []
    at += Number(isOutput ? delay : kind)
    const length = Number(isOutput ? size : delay)
    const text = decoder.decode(bytes.subarray(from, from + length), { stream: true })
    from += length
    return [{ at, text }]
  })
}
