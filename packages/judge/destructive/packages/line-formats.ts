import { byRules, type LineFormat, type LineRule } from './find-in-lines.ts'
import { elsewhere, leadsOut, manager, settings } from './judges.ts'

/** Variables that tell an installer where to load from, or what else to run. */
const variables =
  /\b(?:GOPROXY|GOFLAGS|GONOSUMDB|GONOSUMCHECK|GOSUMDB|GOINSECURE|GOPRIVATE|GONOPROXY|GOTOOLCHAIN|(?:PIP|UV|POETRY|NPM_CONFIG|npm_config|YARN|PNPM|BUNDLE|CARGO|MAVEN|COMPOSER|NUGET)_(?:EXTRA_)?\w*(?:INDEX|REGISTRY|registry|FIND_LINKS|TRUSTED_HOST|MIRROR|REPO|REGISTRIES|SOURCE)\w*)(?:\s*[:?+]?=|[ \t]+\S)/

/** Lines that change where packages come from, by lower-case globs of scripts and settings. */
export const settingLines: readonly (readonly [files: readonly string[], ...LineRule[]])[] = [
  [
    [
      '**/{makefile,gnumakefile,justfile,.justfile,dockerfile,containerfile}{,.*}',
      '**/*.{mk,just,sh,bash,zsh,envrc,dockerfile}',
    ],
    [variables, settings],
  ],
  [
    ['**/*.{gradle,gradle.kts}'],
    [/\b(?:url|setUrl|uri|artifactPattern)\b[\s=(]*(?:uri\s*\(\s*)?["']([^"'\n]+)["']/, settings],
    [/\b(?:mavenLocal\s*\(|flatDir\b|initscript\b)/, settings],
    [/\bapply\s*\(?\s*from\s*[:=]\s*(?:uri\s*\(\s*)?["']([^"'\n]+)["']/, elsewhere],
    [/\b(?:includeBuild|includeFlat|files|fileTree)\s*\(?\s*["']([^"'\n]+)["']/, leadsOut],
  ],
  [['**/gradle.properties'], [/^(?:systemProp\.|org\.gradle\.(?:jvmargs|java))/, settings]],
  [
    ['**/{setup.cfg,tox.ini}'],
    [/^(?:dependency_links|index_url|find_links)\s*=/, settings],
    [/^(?:\w+\s*=\s*)?[\w.-]+\s*(?:\[[\w,\s-]{0,200}\])?\s*@\s*[\w+]+:/, elsewhere],
  ],
  [['**/{pip.ini,.pydistutils.cfg,init.gradle,init.gradle.kts}'], [/\S/, settings]],
  [['**/rust-toolchain'], [/\S/, manager]],
]

/**
 * Finds what in a `go.mod` or `go.work` needs approval: a replaced module, a folder outside, a
 * toolchain that is no release. Grammar: https://go.dev/ref/mod#go-mod-file-grammar.
 */
export function goModules(): LineFormat {
  let block = ''
  const judge = byRules(
    [/^replace\b.*=>\s*(?!\.{1,2}(?:[/\s]|$))\S/, elsewhere],
    [/^replace\b.*=>\s*(\.\S*)/, elsewhere],
    [/^use\s+(?!\($)(\S+)/, elsewhere],
    [/^toolchain\s+(?!(?:default|go\d+(?:\.\d+)*(?:rc\d+)?)$)/, manager],
  )
  return {
    plain: (raw) => raw.replace(/\/\/.*$/, '').replace(/["`]/g, ' '),
    judge: (line, setting) => {
      if (line === ')') block = ''
      const [, opened = block] = /^(\w+)\s*\($/.exec(line) ?? []
      block = opened
      return judge(`${block} ${line}`.trim(), setting)
    },
  }
}
