import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode } from '../../../../packages/files/files.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'

/** What GitHub hands over when the App is registered, and where. */
const shape = z.object({
  appId: z.number(),
  privateKey: z.string(),
  webhookSecret: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  url: z.string(),
})

export type Credentials = z.infer<typeof shape>

/** In the folder of EXECUTOR_DATA. */
const fileName = 'app.json'

/** @throws ExecutorError `app_not_configured` if the file is damaged */
export async function readCredentials(directory: string): Promise<Credentials | null> {
  const path = join(directory, fileName)
  try {
    return shape.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    // The cause would show parts of the key.
    const why = code === null ? 'is damaged; delete it to set the App up again' : `(${code})`
    throw new ExecutorError('app_not_configured', `${path} ${why}`)
  }
}

/** Writes the file so that only this user can read it, whole or not at all. */
export async function saveCredentials(directory: string, credentials: Credentials): Promise<void> {
  await mkdir(directory, { recursive: true })
  const path = join(directory, fileName)
  const fresh = `${path}.${randomUUID()}`
  const file = await open(fresh, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(credentials, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(fresh, path)
}
