import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'

export interface SealedCookies {
  /** A `Set-Cookie` whose content only this App can read or make. */
  set(name: string, value: object, seconds: number, isSecure: boolean): string
  clear(name: string, isSecure: boolean): string
  /** The content if it is genuine and not over. */
  read<T>(
    request: Pick<IncomingMessage, 'headers'>,
    name: string,
    shape: z.ZodType<T>,
    isSecure: boolean,
  ): T | null
  /** Ends a cookie that counts once; false when it has ended or was spent before. */
  spend(request: Pick<IncomingMessage, 'headers'>, name: string, isSecure: boolean): boolean
}

const envelope = z.object({ until: z.number(), value: z.unknown() })
const [ivBytes, tagBytes] = [12, 16]

/**
 * Cookies are encrypted and authenticated (AES-256-GCM, by name), so that any process of the App can read them and
 * a restart ends no session. Another secret ends all of them.
 */
export function createSealedCookies(secret: string, now: () => number): SealedCookies {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'roadmap-executor pages', 32))
  const write = (name: string, text: string, seconds: number, isSecure: boolean) => {
    const options = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`
    return `${fullName(name, isSecure)}=${text}; ${options}${isSecure ? '; Secure' : ''}`
  }
  const find = ({ headers }: Pick<IncomingMessage, 'headers'>, name: string, isSecure: boolean) => {
    const start = `${fullName(name, isSecure)}=`
    const found = (headers.cookie ?? '').split('; ').find((each) => each.startsWith(start))
    const text = found?.slice(start.length) ?? ''
    const opened = open(key, name, text)
    return opened === null || opened.until <= now() ? null : { ...opened, text }
  }
  /** By its text, when a spent cookie would have ended. */
  const spent = new Map<string, number>()
  return {
    set(name, value, seconds, isSecure) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name))
      const text = JSON.stringify({ until: now() + seconds * 1000, value })
      const sealed = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return write(name, Buffer.concat(sealed).toString('base64url'), seconds, isSecure)
    },
    clear: (name, isSecure) => write(name, '', 0, isSecure),
    read(request, name, shape, isSecure) {
      const opened = find(request, name, isSecure)
      return opened === null ? null : (shape.safeParse(opened.value).data ?? null)
    },
    spend(request, name, isSecure) {
      for (const [text, until] of spent) if (until <= now()) spent.delete(text)
      const opened = find(request, name, isSecure)
      // Of one content there is one text: any other is not genuine.
      const text = opened && Buffer.from(opened.text, 'base64url').toString('base64url')
      if (opened === null || text === null || spent.has(text)) return false
      spent.set(text, opened.until)
      return true
    },
  }
}

/** A browser takes this prefix only from the host itself, and over TLS. */
const fullName = (name: string, isSecure: boolean): string =>
  `${isSecure ? '__Host-' : ''}executor-${name}`

function open(key: Buffer, name: string, text: string): z.infer<typeof envelope> | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length <= ivBytes + tagBytes) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
    decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(-tagBytes))
    const opened = decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8')
    return envelope.parse(JSON.parse(opened + decipher.final('utf8')))
  } catch {
    return null
  }
}
