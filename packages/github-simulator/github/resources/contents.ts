import { notFound, ok, type RepositoryCall, type Route } from '../exchange.ts'
import { repositoryPage, repositoryUrl } from '../present/repository.ts'

interface Entry {
  readonly type: 'file' | 'dir' | 'symlink' | 'submodule'
  readonly sha: string
  readonly size: number
  readonly path: string
}

export const contentRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/contents/{path}',
    access: 'read',
    async handle(call) {
      const at = call.query.ref ?? call.repository.defaultBranch
      const sha = await call.git.resolve(at)
      if (sha === null) return notFound
      const path = (call.parameters.path ?? '').replace(/\/+$/, '')
      const entry = path === '' ? null : (await list(call, sha, path))[0]
      if (entry === undefined) return notFound
      if (entry === null || entry.type === 'dir') {
        const entries = await list(call, sha, path === '' ? '' : `${path}/`)
        return ok(entries.map((one) => present(call, at, one)))
      }
      const file = present(call, at, entry)
      if (entry.type === 'submodule') return ok({ ...file, submodule_git_url: null })
      const bytes = await call.git.blob(entry.sha)
      if (entry.type === 'symlink') return ok({ ...file, target: bytes.toString() })
      return ok({ ...file, encoding: 'base64', content: bytes.toString('base64') })
    },
  },
]

/** Entries of one tree level; a path without a closing slash names one entry. */
async function list({ git }: RepositoryCall, sha: string, path: string): Promise<readonly Entry[]> {
  const only = path === '' ? [] : ['--', path]
  const { stdout } = await git.run(['--literal-pathspecs', 'ls-tree', '-z', '-l', sha, ...only])
  return stdout
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const [meta = '', entryPath = ''] = line.split('\t')
      const [mode = '', , hash = '', size = ''] = meta.split(/ +/)
      return { type: typeOf(mode), sha: hash, size: Number(size) || 0, path: entryPath }
    })
}

function typeOf(mode: string): Entry['type'] {
  if (mode === '040000') return 'dir'
  if (mode === '120000') return 'symlink'
  return mode === '160000' ? 'submodule' : 'file'
}

function present({ store, repository }: RepositoryCall, at: string, entry: Entry): object {
  const api = repositoryUrl(store, repository)
  const page = repositoryPage(store, repository)
  const path = encodeURI(entry.path)
  const isDirectory = entry.type === 'dir'
  const addresses = {
    self: `${api}/contents/${path}?ref=${encodeURIComponent(at)}`,
    git: `${api}/git/${isDirectory ? 'trees' : 'blobs'}/${entry.sha}`,
    html: `${page}/${isDirectory ? 'tree' : 'blob'}/${encodeURI(at)}/${path}`,
  }
  return {
    type: entry.type,
    name: entry.path.split('/').at(-1),
    path: entry.path,
    sha: entry.sha,
    size: entry.size,
    url: addresses.self,
    git_url: addresses.git,
    html_url: addresses.html,
    download_url: isDirectory ? null : `${page}/raw/${encodeURI(at)}/${path}`,
    _links: addresses,
  }
}
