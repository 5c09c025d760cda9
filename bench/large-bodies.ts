/** A thread that sends so many large bodies with a false signature at once, and posts what each was answered. */
import { request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { url, connections } = workerData as { readonly url: string; readonly connections: number }
const body = Buffer.alloc(23_000_000, 'x')

parentPort?.postMessage(await Promise.all(Array.from({ length: connections }, sendOnce)))

/** What it was answered. */
function sendOnce(): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/github/webhooks`, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
      },
    })
    let status = 0
    sent.on('response', (response) => {
      status = response.statusCode ?? 0
      response.resume()
      response.on('close', () => resolve(status))
    })
    // The rest of a body that is refused is not read.
    sent.on('error', (error) => (status > 0 ? resolve(status) : reject(error)))
    sent.end(body)
  })
}
