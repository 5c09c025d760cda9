const packageFiles = /\/(?:index|__init__|mod)$/
const scriptExtension = /\.(?:[cm]?[jt]s|[jt]sx)$/
const pathAlias = /^(?:(?:\.{1,2}|@|~)\/+)+/

/**
 * True where a program or a text that says `reference` may mean the file: `./user`, `src/user.js`
 * and `src.user` for `src/user.js`, `crate::user` for `src/user.rs`, `app/user` for `app/user/index.ts`.
 */
export function namesFile(reference: string, path: string): boolean {
  const written = reference.replace(pathAlias, '')
  const names = [written, moduleName(written)].filter((name) => name !== '')
  const stem = path.replace(/\.[^./]+$/, '')
  const forms = [path, stem, stem.replace(packageFiles, '')]
  if (scriptExtension.test(path) && scriptExtension.test(written))
    names.push(written.replace(scriptExtension, ''))
  return (
    names.some((name) => forms.some((form) => form === name || form.endsWith(`/${name}`))) ||
    isGoPackage(written, path)
  )
}

// Dots and colons between names, as Python, Java and Rust write modules.
function moduleName(written: string): string {
  if (written.includes('/')) return ''
  return written
    .replace(/^(?:crate|self|super)::/, '')
    .replaceAll('::', '/')
    .replace(/^\.+/, '')
    .replaceAll('.', '/')
}

function isGoPackage(written: string, path: string): boolean {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  return path.endsWith('.go') && folder !== '' && `/${written}`.endsWith(`/${folder}`)
}
