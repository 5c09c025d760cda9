type Mask = (text: string) => string

/**
 * Masks each string in data by itself, keys included, so that JSON stays JSON. Returns the very
 * same object when it contains nothing to mask. Visits arrays, maps, sets and plain objects.
 *
 * `remembers`: visits each object once, for data that never changes in place.
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

/** Remembers short texts: names of fields and values of enumerations recur. */
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

/** An entry of a map or object is an array of two, which stays the same if nothing was masked. */
function maskInside(data: object, masked: (part: unknown) => unknown): unknown {
  const isList = data instanceof Set || data instanceof Map || Array.isArray(data)
  const parts: readonly unknown[] = isList ? [...data] : isPlain(data) ? Object.entries(data) : []
  const clean = parts.map(masked)
  if (clean.every((part, index) => part === parts[index])) return data
  if (Array.isArray(data)) return clean
  if (data instanceof Set) return new Set(clean)
  const entries = clean as readonly (readonly [string, unknown])[]
  return data instanceof Map ? new Map(entries) : Object.fromEntries(entries)
}

function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data)
  return prototype === Object.prototype || prototype === null
}
