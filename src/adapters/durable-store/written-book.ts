/**
 * The texts that this program posted on GitHub, in `written/` of the shared state: the hash of each before it was
 * posted, its id afterwards. Texts from before `written/since` are recognised by marker and author alone.
 * A verbatim copy by another program has another id: a hash counts for as many ids as the program posted it.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../../packages/text/text.ts'
import { isBefore } from '../../core/domain/instant.ts'
import { readReply } from '../../core/domain/reply-marker.ts'
import { asStored, type PostedText } from '../../core/ports/own-texts.ts'
import { appendTo, outdatedIn, readLog, writtenLog } from './shared-log.ts'
import type { Shared } from './shared-state.ts'

const sincePath = 'written/since'
/** The number of files ends the retention: an old comment is updated as well. */
const daysKept = 3650

const lineShape = z.object({
  hash: z.string().regex(/^[\da-f]{32}$/),
  /** `comment-12`; absent before GitHub answered. */
  id: z.string().max(40).optional(),
  /** ISO time, where the same words are posted once more. */
  at: z.string().max(40).optional(),
})

type Line = z.infer<typeof lineShape>

const hashOf = (body: string): string =>
  createHash('sha256').update(asStored(body)).digest('hex').slice(0, 32)

const nameOf = ({ kind, id }: Pick<PostedText, 'kind' | 'id'>): string => `${kind}-${id}`

export class WrittenBook {
  readonly #clock: { now(): string }
  /** By hash, the intents and the ids that are known. */
  readonly #hashes = new Map<string, { intents: Set<string>; ids: Set<string> }>()
  readonly #ids = new Set<string>()
  /** Lines that the repository may lack. */
  readonly #pending = new Set<string>()
  #since: string | null = null
  #isDue = false

  constructor(clock: { now(): string }) {
    this.#clock = clock
  }

  /** True when a text is about to be posted, or was posted, and the repository does not know it. */
  get isDue(): boolean {
    return this.#isDue
  }

  intend(body: string, of?: Pick<PostedText, 'kind' | 'id'>): void {
    const hash = hashOf(body)
    const isRepeated = this.#hashes.has(hash) && !this.#isAwaited(hash)
    if (of !== undefined) this.#add({ hash, id: nameOf(of) })
    else this.#add({ hash, ...(isRepeated && { at: this.#clock.now() }) })
    this.#isDue = true
  }

  posted(text: Pick<PostedText, 'kind' | 'id' | 'body'>): void {
    this.#learnId(text)
    this.#isDue ||= this.#pending.size > 0
  }

  /** @returns `null` before the repository was read */
  isOurs(text: PostedText): boolean | null {
    const hash = hashOf(text.body)
    if (this.#ids.has(nameOf(text))) {
      // People may change our texts, but what one says of an approval counts only in our own words.
      return readReply(text.body)?.approved == null || this.#hashes.has(hash)
    }
    if (this.#isAwaited(hash)) {
      // Its run was killed before it learned the id; that alone is not worth a push.
      this.#learnId(text)
      return true
    }
    return this.#since === null ? null : isBefore(text.updatedAt, this.#since)
  }

  /** True when a text with these words was posted whose id is unknown. */
  #isAwaited(hash: string): boolean {
    const known = this.#hashes.get(hash)
    return known !== undefined && known.intents.size > known.ids.size
  }

  /** Takes over what other runners wrote. */
  async noticed(shared: Shared): Promise<void> {
    for (const line of await readLog(writtenLog, shared)) {
      const read = lineShape.safeParse(parseJson(line))
      if (read.success) this.#know(read.data)
    }
    const since = (await shared.read([sincePath])).get(sincePath)?.trim() ?? ''
    if (!Number.isNaN(Date.parse(since))) this.#since = since
    else this.#since ??= this.#clock.now()
  }

  async changes(shared: Shared): Promise<ReadonlyMap<string, string | null>> {
    const files = new Map<string, string | null>()
    if (this.#pending.size === 0) return files
    await this.noticed(shared)
    const now = this.#clock.now()
    for (const [path, text] of await appendTo(writtenLog, shared, now.slice(0, 4), [
      ...this.#pending,
    ]))
      files.set(path, text)
    if (files.size === 0) return files
    for (const path of outdatedIn(writtenLog, shared, daysKept, now)) files.set(path, null)
    if (!shared.paths.includes(sincePath)) files.set(sincePath, `${this.#since ?? now}\n`)
    return files
  }

  /** The repository has these files. */
  published(files: ReadonlyMap<string, string | null>): void {
    const there = [...files.values()].join('')
    for (const line of this.#pending) if (there.includes(`${line}\n`)) this.#pending.delete(line)
    this.#isDue = this.#pending.size > 0
  }

  #learnId(text: Pick<PostedText, 'kind' | 'id' | 'body'>): void {
    if (!this.#ids.has(nameOf(text))) this.#add({ hash: hashOf(text.body), id: nameOf(text) })
  }

  #add(line: Line): void {
    this.#know(line)
    this.#pending.add(JSON.stringify(line))
  }

  #know({ hash, id, at = '' }: Line): void {
    const known = this.#hashes.get(hash) ?? { intents: new Set(), ids: new Set() }
    this.#hashes.set(hash, known)
    if (id === undefined) known.intents.add(at)
    else {
      known.ids.add(id)
      this.#ids.add(id)
    }
  }
}
