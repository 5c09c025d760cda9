/** Parameters whose values may hold slashes, sent as they are or encoded. */
const deep = new Set(['ref', 'basehead', 'branch'])

/** `/repos/{owner}/{repo}` as a pattern with a named group for each parameter. */
export function compilePath(template: string): RegExp {
  const source = template
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\/\{path\}$/, '(?:/(?<path>.*))?')
    .replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${deep.has(name) ? '.+' : '[^/]+'})`)
  return new RegExp(`^${source}$`)
}

/** Decodes a part of an address; a badly encoded part is taken literally. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
