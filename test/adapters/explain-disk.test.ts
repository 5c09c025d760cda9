import { expect, it } from 'vitest'
import { explainDisk, explainingDisk } from '../../src/adapters/explain-disk.ts'

const refusal = (code: string): Error =>
  Object.assign(new Error(`${code}: no`), { code, syscall: 'open' })

it.each(['ENOSPC', 'EROFS', 'EIO', 'EACCES', 'EMFILE'])(
  'says what to do about %s',
  async (code) => {
    await expect(explainDisk(() => Promise.reject(refusal(code)))).rejects.toMatchObject({
      code: 'disk_unwritable',
      exitCode: 4,
      message: expect.stringContaining(code),
      next: expect.stringMatching(/run the same command again/),
    })
  },
)

it.each([
  ['a file that should be there', refusal('ENOENT')],
  ['an error of the program', new TypeError('x is not a function')],
  ['a code that is no call’s', Object.assign(new Error('no'), { code: 'ENOSPC' })],
])('leaves %s a bug', async (_, error) => {
  await expect(explainDisk(() => Promise.reject(error))).rejects.toBe(error)
})

it('explains it for every method of a port, but for those that wait for nothing', async () => {
  const refuse = () => Promise.reject(refusal('EIO'))
  const port = explainingDisk({ run: refuse, folder: refuse, name: 'port' }, ['folder'])
  await expect(port.run()).rejects.toMatchObject({ code: 'disk_unwritable' })
  await expect(port.folder()).rejects.toMatchObject({ code: 'EIO' })
  expect(port.name).toBe('port')
})
