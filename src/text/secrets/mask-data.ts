type Mask = (text: string) => string

/**
 * Data with each string masked by itself, keys included, so that what is JSON stays JSON. What holds
 * nothing to mask comes back as the very same object. Looks into arrays, maps, sets and plain objects.
 *
 * `remembers`: an object is looked at once; for data that nobody changes in place.
 */
export function createDataMask(
  mask: Mask,
  { remembers = false }: { readonly remembers?: boolean } = {},
): <Data>(data: Data) => Data {
  const known = new WeakMap<object, unknown>()
  const maskText = remembers ? rememberWords(mask) : mask
  const masked = (data: unknown): unknown => {
    if (typeof data === 'string') return maskText(data)
    if (typeof data !== 'object' || data === null || data instanceof AbortSignal) return data
    if (!remembers) return maskInside(data, masked)
    if (!known.has(data)) known.set(data, maskInside(data, masked))
    return known.get(data)
  }
  return <Data>(data: Data) => masked(data) as Data
}

const longestWord = 40
const mostWords = 10_000

/** Names of fields and words of an enumeration come again and again. */
function rememberWords(mask: Mask): Mask {
  const known = new Map<string, string>()
  return (text) => {
    if (text.length > longestWord) return mask(text)
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= mostWords) known.clear()
    const masked = mask(text)
    known.set(text, masked)
    return masked
  }
}

function maskInside(data: object, masked: (part: unknown) => unknown): unknown {
  if (Array.isArray(data)) return maskParts(data, masked) ?? data
  if (data instanceof Set) {
    const parts = maskParts([...data], masked)
    return parts === null ? data : new Set(parts)
  }
  const isMap = data instanceof Map
  if (!isMap && !isPlain(data)) return data
  const entries: readonly (readonly [unknown, unknown])[] = isMap ? [...data] : Object.entries(data)
  const clean = entries.map(([key, value]) => [masked(key), masked(value)] as const)
  const isSame = clean.every(([key, value], index) => {
    const [before, valueBefore] = entries[index] ?? []
    return key === before && value === valueBefore
  })
  if (isSame) return data
  return isMap ? new Map(clean) : Object.fromEntries(clean)
}

/** `null` when nothing in it had to be masked. */
function maskParts(
  parts: readonly unknown[],
  masked: (part: unknown) => unknown,
): readonly unknown[] | null {
  const clean = parts.map(masked)
  return clean.every((part, index) => part === parts[index]) ? null : clean
}

function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data)
  return prototype === Object.prototype || prototype === null
}
