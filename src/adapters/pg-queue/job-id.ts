import { createHash } from 'node:crypto'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** GitHub's delivery ids are UUIDs, as the database's are; any other text gets one of its own. */
export function toJobId(delivery: string): string {
  if (uuid.test(delivery)) return delivery.toLowerCase()
  const hash = createHash('sha256').update(delivery).digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return [...parts, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}
