import { describe, expect, it } from 'vitest'
import { mayNameRegistries, namedRegistries } from '../../prepare/named-registries.ts'

const named = (path: string, text: string) => namedRegistries(new Map([[path, text]]))

describe('registries that a commit names', () => {
  it.each([
    [
      'package-lock.json',
      '"resolved": "https://a.example/x/-/x-1.tgz", "funding": {"url": "https://no.example"}',
    ],
    ['web/yarn.lock', 'x@1:\n  version "1"\n  resolved "https://a.example/x/-/x-1.tgz#00"\n'],
    ['pnpm-lock.yaml', '    resolution: {integrity: sha512-x, tarball: https://a.example/x.tgz}'],
    [
      '.npmrc',
      'registry=https://a.example/npm/\n# registry=https://no.example\nother=https://no.example',
    ],
    ['.npmrc', '@scope:registry = https://a.example/npm/'],
    ['.yarnrc', 'registry "https://a.example"'],
    ['.yarnrc.yml', 'npmScopes:\n  a:\n    npmRegistryServer: "https://a.example"\n'],
    ['bunfig.toml', '[install]\nregistry = "https://a.example"'],
    ['requirements.txt', 'six # https://no.example\n--index-url https://a.example/simple\n'],
    ['requirements/dev.txt', ''],
    ['dev-requirements.txt', '-i https://a.example/simple'],
    ['requirements.txt', '--extra-index-url=https://a.example/simple'],
    ['requirements.txt', 'x @ https://a.example/x-1.whl'],
    ['requirements.txt', 'https://a.example/x-1.whl'],
    [
      'pyproject.toml',
      '[[tool.uv.index]]\nname = "a"\nurl = "https://a.example/simple"\n[project.urls]\nurl = "https://no.example"',
    ],
    ['pyproject.toml', '[[tool.poetry.source]]\nname = "a"\nurl = "https://a.example/simple"'],
    ['pyproject.toml', '[tool.uv]\nextra-index-url = [ "https://a.example/simple" ]'],
    ['uv.lock', 'source = { registry = "https://a.example/simple" }'],
    ['poetry.lock', '[package.source]\ntype = "legacy"\nurl = "https://a.example/simple"'],
    [
      'Cargo.lock',
      'source = "sparse+https://a.example/"\nsource = "registry+https://no.example/index"',
    ],
    ['Cargo.toml', 'x = { git = "https://a.example/x" }\nhomepage = "https://no.example"'],
    ['.cargo/config.toml', '[registries.a]\nindex = "sparse+https://a.example/"'],
    ['config.toml', ''],
    [
      'pom.xml',
      '<url>https://no.example</url><repository><id>a</id><url>https://a.example/</url></repository>',
    ],
    ['pom.xml', '<pluginRepository>\n<url> https://a.example/x </url>'],
    ['Gemfile', "source 'https://a.example' do"],
    ['Gemfile.lock', 'GEM\n  remote: https://a.example/\n'],
    ['composer.lock', '"dist": {"type": "zip", "url": "https://a.example/x.zip"}'],
    [
      'composer.json',
      '"repositories": [{"type": "composer", "url": "https://a.example"}], "support": {"url": "https://no.example"}',
    ],
    ['README.md', 'registry=https://no.example'],
  ])('%s: %s', (path, text) => {
    expect(named(path, text)).toEqual(text.includes('a.example') ? ['https://a.example'] : [])
  })

  it('are named once, with their port and without a password', () => {
    const text = 'registry=https://me:word@a.example:8443/npm/\n@b:registry=https://a.example:8443'
    expect(named('.npmrc', text)).toEqual(['https://a.example:8443'])
  })

  it('are searched for in no other file', () => {
    const paths = ['.npmrc', 'a/.cargo/config', 'src/config.toml', 'README.md', 'setup.py']
    expect(paths.filter(mayNameRegistries)).toEqual(['.npmrc', 'a/.cargo/config'])
  })

  it('are found in a large hostile text at once', () => {
    for (const part of ['<repository>', '[[tool.uv.index]]\n', 'x @ ', '"url": ', '  resolved ']) {
      expect(named('pom.xml', part.repeat(60_000))).toEqual([])
      expect(named('pyproject.toml', part.repeat(60_000))).toEqual([])
      expect(named('requirements.txt', part.repeat(60_000))).toEqual([])
    }
  })
})
