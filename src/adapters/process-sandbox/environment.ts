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

/** What an installation needs to reach a registry: certificates, mirrors and proxies. */
const networkVariables = [
  'CURL_CA_BUNDLE',
  'GOPROXY',
  'GOSUMDB',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'NO_PROXY',
  'PIP_CERT',
  'PIP_INDEX_URL',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'UV_INDEX_URL',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'npm_config_registry',
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
export function networkEnvironment(outer: Variables): Record<string, string> {
  const found = Object.entries(pick(outer, networkVariables))
  return Object.fromEntries(found.filter(([, value]) => !value.includes('@')))
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
