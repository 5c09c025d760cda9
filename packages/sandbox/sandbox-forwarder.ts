/**
 * Runs inside a sandbox with its own network and forwards ports there to our Unix sockets. Called
 * with `port=path,port=path`; prints a line when all are ready. It belongs to the sandbox: code
 * there that ends it loses its network.
 */
import { connect, createServer } from 'node:net'

const wanted = (process.argv[2] ?? '').split(',').map((each) => each.split('='))

// Skips a port that the sandbox's user may not open; only the first is required.
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
      // Loopback in both families; nothing else exists there.
      server.listen(Number(port), () => resolve(true))
    }),
)

const [isReady] = await Promise.all(opened)
if (isReady) process.stdout.write('ready\n')
else process.exit(1)
