import nock from 'nock'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

/** In the tests of the file that calls this, HTTP reaches what nock was told, all of that, and nothing else. */
export function forbidNetwork(): void {
  beforeAll(() => {
    if (!nock.isActive()) nock.activate()
    nock.disableNetConnect()
  })
  afterEach(() => {
    expect(nock.pendingMocks()).toEqual([])
    nock.cleanAll()
  })
  // Other files of this process talk to servers of ours.
  afterAll(() => {
    nock.enableNetConnect()
    nock.restore()
  })
}
