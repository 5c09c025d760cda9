/**
 * Runs inside a sandbox that has a network of its own: what is said on a port there goes to a Unix socket of ours, and
 * what that answers comes back. Given as `port=path,port=path`; prints a line when all is ready. It belongs to the
 * sandbox: whoever ends it there has no network.
 */
import { connect, createServer } from 'node:net'

const wanted = (process.argv[2] ?? '').split(',').map((each) => each.split('='))

// A port that the user inside may not have is left out; the first is the one that everything needs.
const opened = wanted.map(
  ([port, path = '']) =>
    new Promise<boolean>((resolve) => {
      const server = createServer({ allowHalfOpen: true }, (near) => {
        const far = connect({ path, allowHalfOpen: true })
        for (const [one, other] of [
          [near, far],
          [far, near],
        ] as const) {
          one.on('error', () => undefined)
          one.once('close', () => other.destroy())
          one.pipe(other)
        }
      })
      server.once('error', () => resolve(false))
      // Loopback of both families, and nothing else is there.
      server.listen(Number(port), () => resolve(true))
    }),
)

const [isReady] = await Promise.all(opened)
if (isReady) process.stdout.write('ready\n')
else process.exit(1)
