/** Files that name what can be run. */
export const scriptFiles = ['package.json', 'composer.json', 'Makefile', 'justfile']

/** `npm run build`, `make check`: what these files name, as a person would type it. */
export function namesOfScripts(texts: ReadonlyMap<string, string>): readonly string[] {
  return [...texts].flatMap(([path, text]) =>
    path.endsWith('.json')
      ? scriptsOf(text).map((name) => `${path === 'package.json' ? 'npm run' : 'composer'} ${name}`)
      : targetsOf(text).map((name) => `${path === 'justfile' ? 'just' : 'make'} ${name}`),
  )
}

function scriptsOf(text: string): readonly string[] {
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: unknown }
    return typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : []
  } catch {
    return []
  }
}

const targetsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^([a-zA-Z][\w-]*)(?: [\w ]*)?:(?!=)/gm)].map(([, name = '']) => name)
