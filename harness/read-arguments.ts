import { readFileSync } from 'node:fs'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/**
 * The options that a harness was started with. `--help` prints the comment at the top of its file and ends with 0; an
 * option that it does not know ends with 2.
 *
 * @param file `import.meta.filename` of the harness
 */
export function readArguments<T extends ParseArgsOptionsConfig>(file: string, options: T) {
  if (process.argv.includes('--help')) {
    const [, comment = ''] = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(readFileSync(file, 'utf8')) ?? []
    process.stdout.write(`${comment.replaceAll(/^ \* ?/gm, '')}\n`)
    process.exit(0)
  }
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n--help lists the options.`)
  }
}

/** Says what is wrong with the options, and ends with 2. */
export function refuse(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
