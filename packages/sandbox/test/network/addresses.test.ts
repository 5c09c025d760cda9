import { describe, expect, it } from 'vitest'
import { addressOf, authorityOf, isLocalAddress, isLocalName } from '../../network/way.ts'

describe('addressOf', () => {
  it.each([
    ['https://registry.example/npm/', 'registry.example', 443],
    ['http://Registry.Example:4873/', 'registry.example', 4873],
    ['sparse+https://index.example/', 'index.example', 443],
    ['registry+https://git.example/index', 'git.example', 443],
    ['https://me:word@private.example/simple', 'private.example', 443],
    ['http://localhost./', 'localhost', 80],
    ['http://127.1:80/', '127.0.0.1', 80],
    ['http://0x7f.1/', '127.0.0.1', 80],
    ['http://2130706433/', '127.0.0.1', 80],
    ['http://[0:0::1]:8080/', '::1', 8080],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1', 80],
  ])('%s', (url, host, port) => {
    expect(addressOf(url)).toEqual({ host, port })
  })

  it.each(['file:///srv', 'direct', 'off', 'git+ssh://git@host/x', 'https://', '/opt/wheels', ''])(
    'is none: %j',
    (url) => expect(addressOf(url)).toBe(null),
  )
})

describe('authorityOf', () => {
  it.each([
    ['registry.example:443', { host: 'registry.example', port: 443 }],
    ['REGISTRY.example.:80', { host: 'registry.example', port: 80 }],
    ['0177.0.0.1:443', { host: '127.0.0.1', port: 443 }],
    ['[::1]:443', { host: '::1', port: 443 }],
    ['registry.example', null],
    ['registry.example:443/x', null],
    ['secret.example:80@registry.example:443', null],
    ['registry.example:443#.secret.example:443', null],
    ['registry.example:443\\.secret.example:1', null],
    ['registry.example:99999', null],
    ['', null],
  ])('%s', (text, address) => expect(authorityOf(text)).toEqual(address))
})

describe('an address of this machine or beside it', () => {
  it.each([
    ...['127.0.0.1', '127.255.0.9', '0.0.0.0', '169.254.169.254', '::1', '::', 'fe80::1%eth0'],
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254', '::127.0.0.1'],
    ...['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', 'febf::1', 'fd00:ec2::254'],
  ])('%s', (address) => expect(isLocalAddress(address)).toBe(true))

  it.each(['10.1.2.3', '93.184.216.34', '128.0.0.1', '2606:2800::1', '::ffff:10.0.0.1', 'fec0::1'])(
    'not so: %s',
    (address) => expect(isLocalAddress(address)).toBe(false),
  )

  it.each([
    ['localhost', true],
    ['a.localhost', true],
    ['127.0.0.1', true],
    ['localhost.example', false],
    ['registry.example', false],
  ])('%s says so: %s', (host, isLocal) => expect(isLocalName(host)).toBe(isLocal))
})
