import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { projectUrl } from '../../../core/publisher.ts'

const manifestShape = z.object({
  name: z.string(),
  description: z.string(),
  public: z.boolean(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write'])),
  default_events: z.array(z.string()),
})

export const webhookPath = '/api/github/webhooks'

/** Beside the bundle, and in the sources at the root. */
const places = ['app.yml', '../../../../app.yml'].map((path) => join(import.meta.dirname, path))

/** The manifest that GitHub takes, from `app.yml` and the App's public address. */
export async function appManifest(origin: string): Promise<Readonly<Record<string, unknown>>> {
  const path = places.find((place) => existsSync(place)) ?? ''
  return {
    ...manifestShape.parse(parse(await readFile(path, 'utf8'))),
    url: projectUrl,
    hook_attributes: { url: origin + webhookPath, active: true },
    redirect_url: `${origin}/setup`,
    callback_urls: [`${origin}/login/callback`],
  }
}
