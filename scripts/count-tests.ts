import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { countedFiles } from './security-counts.ts'

// Counts the tests of the files that SECURITY.md names, for `npm run generate`, without running them. To save the counts
// that tests print themselves, run `EXECUTOR_ALL_RUNS=1 EXECUTOR_KEEP_COUNTS=1 npx vitest run FILE`.
const files = countedFiles(readFileSync('SECURITY.md', 'utf8'))
const args = ['node_modules/vitest/vitest.mjs', 'run', ...files, '-t', 'no test has this name']
const env = { ...process.env, EXECUTOR_KEEP_COUNTS: '1' }
process.exitCode = spawnSync(process.execPath, args, { env, stdio: 'inherit' }).status ?? 1
