import { runCli } from './cli/run-cli.ts'

// Not awaited: a chunk of the bundle that needs this one would wait for it forever.
void runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
