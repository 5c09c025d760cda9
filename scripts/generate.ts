import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { generatedFiles } from './generated-files.ts'

// Updates the generated files; with --check, only reports outdated ones.
const check = process.argv.includes('--check')
const root = resolve(process.argv.slice(2).find((word) => !word.startsWith('--')) ?? '.')

for (const { path, text } of await generatedFiles(root)) {
  const file = join(root, path)
  const written = await readFile(file, 'utf8').catch(() => null)
  if (written === text) continue
  if (check) {
    console.error(`${path} is not what the sources say: npm run generate`)
    process.exitCode = 1
  } else {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    console.log(`${path} renewed`)
  }
}
