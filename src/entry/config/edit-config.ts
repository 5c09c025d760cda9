import { isMap, isScalar, parseDocument } from 'yaml'

/**
 * Sets these keys of a configuration, and keeps everything else: comments, order, quotes. `null` when the file says so
 * already, or is not plain YAML.
 */
export function editConfig(text: string, values: Readonly<Record<string, string>>): string | null {
  const document = parseDocument(text, { prettyErrors: false })
  if (document.errors.length > 0) return null
  if (document.contents !== null && !isMap(document.contents)) return null
  const missing = Object.entries(values).filter(([key, value]) => document.get(key) !== value)
  if (missing.length === 0) return null
  for (const [key, value] of missing) {
    const node = document.get(key, true)
    if (isScalar(node)) node.value = value
    else document.set(key, value)
  }
  const written = document.toString({ lineWidth: 0 })
  const edited = text.includes('\r\n') ? written.replaceAll(/\r?\n/g, '\r\n') : written
  // The library drops comments of a file without keys.
  return document.contents === null || text.trim() !== '' ? edited : edited.trimStart()
}
