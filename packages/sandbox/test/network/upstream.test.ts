import { describe, expect, it } from 'vitest'
import { requestBy, upstreamFor } from '../../network/way.ts'

describe('upstreamFor', () => {
  const secure = { HTTPS_PROXY: 'http://proxy.example:8080' }
  it.each([
    ['none', {}, 'a.example', null],
    ['one', secure, 'a.example', 'http://proxy.example:8080/'],
    ['lower case', { https_proxy: 'http://p.example' }, 'a.example', 'http://p.example/'],
    ['without a scheme', { HTTPS_PROXY: 'p.example:1' }, 'a.example', 'http://p.example:1/'],
    ['for all', { ALL_PROXY: 'http://p.example' }, 'a.example', 'http://p.example/'],
    ['for plain HTTP alone', { HTTP_PROXY: 'http://p.example' }, 'a.example', null],
    ['of another kind', { HTTPS_PROXY: 'socks5://p.example' }, 'a.example', null],
    ['no text that is one', { HTTPS_PROXY: 'http://%' }, 'a.example', null],
    ['an exception', { ...secure, NO_PROXY: 'b.example, a.example' }, 'a.example', null],
    ['a domain of exceptions', { ...secure, no_proxy: '.example' }, 'a.example', null],
    ['with a star', { ...secure, no_proxy: '*.example' }, 'a.example', null],
    ['all', { ...secure, NO_PROXY: '*' }, 'a.example', null],
    ['its port', { ...secure, NO_PROXY: 'a.example:443' }, 'a.example', null],
    ['another port', { ...secure, NO_PROXY: 'a.example:80' }, 'a.example', secure.HTTPS_PROXY],
    ['a part of a name', { ...secure, NO_PROXY: 'ample' }, 'a.example', secure.HTTPS_PROXY],
  ])('%s', (_name, outer, host, expected) => {
    const found = upstreamFor(outer, { host, port: 443 }, true)
    expect(found?.href ?? null).toBe(expected && new URL(expected).href)
  })

  it('says its user and password to the proxy', () => {
    const authorisation = (upstream: string) => {
      const request = requestBy(new URL(upstream), {}).on('error', () => undefined)
      return request.destroy().getHeader('Proxy-Authorization')
    }
    expect(authorisation('http://me:p%40ss@127.0.0.1')).toBe(
      `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    )
    expect(authorisation('http://127.0.0.1')).toBeUndefined()
  })
})
