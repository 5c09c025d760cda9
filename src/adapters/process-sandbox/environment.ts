/** Of the toolchain: where programs find their own parts. Paths, never credentials. */
const toolVariables = [
  'ASDF_DATA_DIR',
  'ASDF_DIR',
  'GOROOT',
  'JAVA_HOME',
  'LD_LIBRARY_PATH',
  'MISE_DATA_DIR',
  'NVM_DIR',
  'PYENV_ROOT',
  'PYENV_VERSION',
  'RBENV_ROOT',
  'RUSTUP_HOME',
  'RUSTUP_TOOLCHAIN',
  'VOLTA_HOME',
]

/** What an installation needs to reach a registry: certificates and mirrors. */
const networkVariables = [
  'BUN_CONFIG_REGISTRY',
  'CURL_CA_BUNDLE',
  'GOPROXY',
  'GOSUMDB',
  'NODE_EXTRA_CA_CERTS',
  'PIP_CERT',
  'PIP_EXTRA_INDEX_URL',
  'PIP_INDEX_URL',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'UV_DEFAULT_INDEX',
  'UV_EXTRA_INDEX_URL',
  'UV_INDEX',
  'UV_INDEX_URL',
  'YARN_NPM_REGISTRY_SERVER',
  'npm_config_registry',
]

/** Where there is no network of its own, the machine's proxies are an installation's. */
const proxyVariables = [
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
]

type Variables = Readonly<Record<string, string | undefined>>

function pick(from: Variables, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = from[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
}

export const toolEnvironment = (outer: Variables): Record<string, string> =>
  pick(outer, toolVariables)

/** A URL that carries a user or a password is a credential and stays outside. */
export const isBare = (text: string): boolean => !text.includes('@')

export function networkEnvironment(
  outer: Variables,
  { withProxies = false }: { readonly withProxies?: boolean } = {},
): Record<string, string> {
  const indexes = Object.keys(outer).filter((name) => /^CARGO_REGISTRIES_\w+_INDEX$/.test(name))
  const names = [...networkVariables, ...indexes, ...(withProxies ? proxyVariables : [])]
  const found = Object.entries(pick(outer, names))
  return Object.fromEntries(found.filter(([, value]) => isBare(value)))
}

/**
 * An allow-list: whatever is not named here, model-written code does not see. Nothing of it asks for colours or
 * against them, as tests of programs that print in colour depend on it; readers of output leave colours out.
 */
export function baseEnvironment(outer: Variables, path: string): Record<string, string> {
  const locale = Object.keys(outer).filter((name) => name.startsWith('LC_'))
  return {
    ...pick(outer, ['LANG', 'LANGUAGE', 'TZ', ...locale]),
    PATH: path,
    CI: '1',
    TERM: 'dumb',
    PYTHONDONTWRITEBYTECODE: '1',
  }
}
