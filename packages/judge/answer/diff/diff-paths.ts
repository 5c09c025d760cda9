import { samePath } from '../address.ts'

/** Prefixes that git puts before both sides' paths, also with `diff.mnemonicPrefix`. */
const prefix = /^[abciow]\//
/** Longer texts are no paths, and are not parsed. */
const longest = 2_800
const backup = /\.(?:orig|old|bak|before)$/

/** The path in a `---`, `+++` or `rename` line, without quotes, dates, backticks; or `null` */
export function cleanPath(value: string): string | null {
  if (value.length > longest) return value
  const plain = value
    .replace(/\t.*$/, '')
    .trim()
    .replace(/\s+\(?\d{4}-\d\d-\d\d.{0,40}$/, '')
    .replace(/\s+\((?:old|new|original|modified|updated|before|after|current)\)$/i, '')
    .replace(/^`+|`+$/g, '')
  const path = /^".*"$/.test(plain) ? unquote(plain.slice(1, -1)) : plain
  return /^[/\\]?(?:dev[/\\]null|NUL)$/i.test(path) ? null : path
}

/** git writes a path with unusual characters as a C string, its bytes in octal. */
function unquote(quoted: string): string {
  const bytes: number[] = []
  for (const [part, octal, letter] of quoted.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff)
    else bytes.push(...Buffer.from(letter === undefined ? part : (escapes[letter] ?? letter)))
  }
  return Buffer.from(bytes).toString('utf8')
}

const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' }

/** The two paths of `diff --git a/x b/y`; `null` where spaces make that unclear. */
export function gitPaths(line: string): { readonly old: string; readonly renewed: string } | null {
  if (line.length > 2 * longest) return null
  const rest = line.slice('diff --git '.length).trim()
  const quoted =
    /^("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/.exec(rest) ?? /^(\S+) (\S+)$/.exec(rest)
  const half = (rest.length - 1) / 2
  const isTwice = prefixless(rest.slice(0, half)) === prefixless(rest.slice(half + 1))
  const old = quoted?.[1] ?? (isTwice ? rest.slice(0, half) : undefined)
  const renewed = quoted?.[2] ?? (isTwice ? rest.slice(half + 1) : undefined)
  if (old === undefined || renewed === undefined) return null
  return { old: cleanPath(old) ?? '', renewed: cleanPath(renewed) ?? '' }
}

const prefixless = (path: string): string => path.replace(prefix, '')

/** One side's path when the other side is no file or is not named. */
export const withoutPrefix = (path: string, side: 'old' | 'new'): string =>
  path.startsWith(side === 'old' ? 'a/' : 'b/') ? path.slice(2) : path

/**
 * The one file that both sides of a diff name; `null` when they name two. `a/` and `b/` are
 * prefixes only if they differ, or if the rest shows it: a folder may be called `a`.
 */
export function onePath(old: string, renewed: string): string | null {
  if (old === renewed) return old
  if (prefix.test(old) && prefix.test(renewed) && prefixless(old) === prefixless(renewed)) {
    return prefixless(old)
  }
  const [from, to] = [withoutPrefix(old, 'old'), withoutPrefix(renewed, 'new')]
  if (from.replace(backup, '') === to) return to
  return samePath(from, to)
}
